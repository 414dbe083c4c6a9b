package dev.pinion.handlers.api;

/**
 * Makes handlers of one kind. Found by {@link java.util.ServiceLoader}: a jar names its factories
 * in {@code META-INF/services/dev.pinion.handlers.api.HandlerFactory}. The class is public and has
 * a constructor without parameters.
 */
public interface HandlerFactory {
  /**
   * What chains call this kind of handler: lower case letters, digits and {@code -}, unique among
   * all factories.
   */
  String name();

  /** What such a handler does, in one sentence for people. */
  String summary();

  /**
   * Makes a handler. Asks for every setting that there is; whatever a chain sets beyond these is
   * refused, and so are all problems found, together.
   *
   * @param settings what the chain sets, by name
   */
  Handler create(Settings settings);

  /**
   * Whether such a handler can do its work in a handler host, away from the engine.
   *
   * @param settings what the chain sets; empty where that is not known yet
   */
  default boolean runsInHosts(Settings settings) {
    return true;
  }
}
