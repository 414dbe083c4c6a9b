package dev.pinion.bootstrap.cli.topology;

import java.util.Locale;

/**
 * Colours of replicas in pictures, far apart for neighbours.
 *
 * @param dark colour of critical CPUs; white text is readable on it
 * @param light colour of ancillary CPUs; black text is readable on it
 */
record ReplicaColour(String dark, String light) {
  /** The golden angle: hues of any number of replicas spread evenly. */
  private static final double STEP_DEGREES = 137.508;

  private static final double FIRST_HUE_DEGREES = 212;

  static ReplicaColour of(int replica) {
    double hue = (FIRST_HUE_DEGREES + replica * STEP_DEGREES) % 360;
    return new ReplicaColour(hex(hue, 0.60, 0.30), hex(hue, 0.65, 0.86));
  }

  /** A colour by hue in degrees, saturation and lightness from 0 to 1. */
  private static String hex(double hue, double saturation, double lightness) {
    double range = saturation * Math.min(lightness, 1 - lightness);
    return String.format(
        Locale.ROOT,
        "#%02x%02x%02x",
        channel(0, hue, lightness, range),
        channel(8, hue, lightness, range),
        channel(4, hue, lightness, range));
  }

  private static int channel(int offset, double hue, double lightness, double range) {
    double k = (offset + hue / 30) % 12;
    double value = lightness - range * Math.max(-1, Math.min(Math.min(k - 3, 9 - k), 1));
    return (int) Math.round(255 * value);
  }
}
