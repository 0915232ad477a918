"""Rules that learners write: the desk where they are written, the judge in the browser, and the museum of errors."""
