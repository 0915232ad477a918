"""A judge of rules and programs that learners write, on problems whose states are listed: exact, without sampling."""
