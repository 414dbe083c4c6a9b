package dev.pinion.core.model;

/** The version of the engine, from its jar. */
public final class EngineVersion {
  /** The version, or {@code development} when the classes do not come from a jar. */
  public static final String CURRENT = read();

  private EngineVersion() {}

  private static String read() {
    String version = EngineVersion.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
