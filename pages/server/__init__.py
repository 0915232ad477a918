"""The server beside the scripts: routes for what moves, headers, and unexpected errors."""
