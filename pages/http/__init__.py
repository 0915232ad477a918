"""Parts of every answer to a browser: addresses, turns, and limits on each client."""
