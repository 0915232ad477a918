"""What every answer to a browser needs: addresses, turns, and how much one client may ask for."""
