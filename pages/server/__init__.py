"""The server beside the scripts: routes for what moves, headers, and errors that nobody expected."""
