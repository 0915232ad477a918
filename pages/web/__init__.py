"""What every answer to a browser needs: addresses, turns, and limits on each client."""
