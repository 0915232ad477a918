"""What topics share."""
