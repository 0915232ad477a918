"""A judge of rules that learners write, on problems whose states are listed: exact, without sampling."""
