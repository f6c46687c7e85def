-- Sends the requests of a file, one after the other; each thread begins elsewhere in it.
-- A line is a path, or POST, a path and a body, with tabs between.

local requests = {}
local threads = 0
local at = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  for line in io.lines(os.getenv("HYPATIA_REQUESTS")) do
    local path, body = line:match("^POST\t([^\t]+)\t(.+)$")
    local headers = { ["Accept-Encoding"] = "gzip, br" }
    if path then
      headers["Content-Type"] = "application/json"
      requests[#requests + 1] = wrk.format("POST", path, headers, body)
    else
      requests[#requests + 1] = wrk.format("GET", line, headers)
    end
  end
  at = math.floor(#requests * number / 7)
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    "RESULT\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n",
    summary.requests, summary.duration, summary.bytes,
    latency:percentile(50), latency:percentile(99), latency.max,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
