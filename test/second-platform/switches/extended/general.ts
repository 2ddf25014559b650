import { sw } from "../define";

export const extendedGeneral = {
  lacking: sw(
    "0",
    "how an installation answers an operation that it does not have",
    "as an unknown path",
    "404 error body",
    "404 HTML page",
    "404 plain text",
    "404 empty",
    "405",
    "501",
    "403",
    "200 HTML page",
    "302 to a login page",
  ),
  pageNumbersExtended: sw("0", "type of the numbers in paging_info", "integers", "text"),
  pageEndExtended: sw("0", "next_page on the last page", "null", "absent", "0", "next number all the same"),
  perPageLimit: sw("1", "a large per_page", "honoured", "cut to 100", "refused above 100", "cut to 3"),
};
