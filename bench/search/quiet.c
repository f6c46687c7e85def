/* Loaded before pya0, this takes the place of the function that turns results into JSON with a snippet of
 * each: what remains of pya0.search is the search itself. */
const char *search_results_json(void *results, int page, unsigned size, void *indices)
{
    (void)results, (void)page, (void)size, (void)indices;
    return "{}";
}
