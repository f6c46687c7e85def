//! `hypatia lab assess`: the pages on which people judge, and from which organisers run a lab.

use crate::serve::{Log, per_address, public_address};
use crate::{Exit, Run, output};
use anyhow::{Context, Result, ensure};
use assess::{INVITATION_LIFE, Invited, NewInvitation, Role, Standing};
use clap::{Args, ValueEnum};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use web::{AssessApp, AssessConfig, PerAddress};

/// The port when none is named.
const PORT: u16 = 8090;

const LONG_ABOUT: &str = "\
Serves the pages on which assessors judge the lab's pools and from which organisers run the judging, \
until Ctrl-C or SIGTERM. Everything is kept in the lab's own folder; each judgment is on the disk before \
the page reports it as saved.

Nobody can come in without an account, and accounts are made by links. The first link, for an organiser, \
is printed when the lab has none; all others are made on the page Desk, People, or with --invite, which \
prints a link and serves nothing.

Only this computer can connect unless --host says otherwise. The server speaks plain HTTP: let others \
connect through a proxy that speaks HTTPS, and tell it here with --https. docs/assessing.md tells how.";

const EXAMPLES: &str = "\
Examples:
  hypatia lab assess mylab
  hypatia lab assess mylab --port 9000
  hypatia lab assess mylab --invite 'Ada Lovelace'
  hypatia lab assess mylab --invite bob@example.org --role organiser
  hypatia lab assess mylab --https --trust-proxy --address https://judge.example.org
  hypatia lab assess mylab --lease 48";

/// Let people judge: the assessment pages and the organiser's desk
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Assess {
    /// The folder of the lab
    #[arg(value_name = "LAB")]
    lab: PathBuf,

    /// The port to listen on; 0 for any that is free
    #[arg(short, long, value_name = "PORT", default_value_t = PORT)]
    port: u16,

    /// The address to listen on; 0.0.0.0 lets other computers connect
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,

    /// How people reach the server, for links that are sent to them, such as https://judge.example.org
    #[arg(long, value_name = "URL")]
    address: Option<String>,

    /// Everything comes through a proxy that speaks HTTPS: cookies are for HTTPS only
    #[arg(long)]
    https: bool,

    /// Believe the proxy where a request comes from (X-Forwarded-For)
    #[arg(long)]
    trust_proxy: bool,

    /// How many connections one address may have open; 0 for no limit [default: 128, and no limit for this computer or with --trust-proxy]
    #[arg(long, value_name = "N")]
    connections_per_address: Option<usize>,

    /// How many hours somebody keeps a batch without judging anything [default: 72]
    #[arg(long, value_name = "HOURS")]
    lease: Option<f64>,

    /// What the lines of the log look like
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    log: Log,

    /// Print a link by which somebody makes an account, and serve nothing
    #[arg(long, value_name = "WHOM")]
    invite: Option<String>,

    /// Role of the invitee
    #[arg(long, value_name = "ROLE", default_value = "assessor", requires = "invite")]
    role: Invitee,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Invitee {
    /// Somebody who judges
    Assessor,
    /// Somebody who wants to judge and gets sample tasks first
    Applicant,
    /// Somebody who runs the lab
    Organiser,
}

impl Run for Assess {
    fn run(self) -> Result<Exit> {
        let config = AssessConfig {
            address: self.address.as_deref().map(public_address).transpose()?,
            behind_https: self.https,
            trust_proxy: self.trust_proxy,
            per_address: match self.connections_per_address {
                // All connections come from the proxy.
                None if self.trust_proxy => PerAddress::Unlimited,
                given => per_address(given),
            },
            ..AssessConfig::default()
        };
        drop(super::open(&self.lab)?);
        match &self.invite {
            Some(whom) => self.invite(whom, config),
            None => self.serve(config),
        }
    }
}

impl Assess {
    fn invite(&self, whom: &str, config: AssessConfig) -> Result<Exit> {
        let (role, standing) = match self.role {
            Invitee::Assessor => (Role::Assessor, Standing::Active),
            Invitee::Applicant => (Role::Assessor, Standing::Applicant),
            Invitee::Organiser => (Role::Organiser, Standing::Active),
        };
        let app = AssessApp::open(&self.lab, config)?;
        let new = NewInvitation { recipient: whom.to_owned(), role, standing, life: INVITATION_LIFE };
        let invited = app.office().write(move |books| books.invite(&new, "command line"))?;
        let link = self.link(&invited, SocketAddr::new(self.host, self.port));
        output::print(format!("{link}\n").as_bytes())?;
        Ok(Exit::Yes)
    }

    fn serve(&self, config: AssessConfig) -> Result<Exit> {
        web::log_to_stderr(self.log.format());
        let process = web::Process::new()?;
        let app = AssessApp::open(&self.lab, config)?;
        if let Some(hours) = self.lease {
            ensure!((0.02..=8784.0).contains(&hours), "--lease is from 0.02 to 8784 hours, not {hours}");
            #[expect(clippy::cast_possible_truncation, reason = "hours of a year")]
            let seconds = (hours * 3600.0) as i64;
            app.office().write(move |books| books.set_lease(seconds, "command line"))?;
        }
        let listener = web::listen(SocketAddr::new(self.host, self.port))?;
        let address = listener.local_addr().context("the address of the server")?;
        let mut told = format!("http://{address}/\n");
        if let Some(invited) = app.office().write(|books| books.first_invitation())? {
            told.push_str(&format!("first organiser: {}\n", self.link(&invited, address)));
        }
        output::print(told.as_bytes())?;
        process.run_assess(listener, app)?;
        Ok(Exit::Yes)
    }

    fn link(&self, invited: &Invited, address: SocketAddr) -> String {
        let base = self.address.as_deref().map_or_else(|| format!("http://{address}"), ToOwned::to_owned);
        format!("{}{}", base.trim_end_matches('/'), invited.path())
    }
}
