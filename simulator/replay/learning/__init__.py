"""What two performances agree in."""
