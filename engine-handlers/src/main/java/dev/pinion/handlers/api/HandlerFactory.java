package dev.pinion.handlers.api;

/**
 * Makes handlers of one kind. Found by {@link java.util.ServiceLoader}: a jar names its factories
 * in {@code META-INF/services/dev.pinion.handlers.api.HandlerFactory}. The class is public and has
 * a constructor without parameters.
 */
public interface HandlerFactory {
  /**
   * Name of this kind of handler in chains: lower case letters, digits and {@code -}, unique among
   * all factories.
   */
  String name();

  /** Purpose of the handler, in one sentence for people. */
  String summary();

  /**
   * Makes a handler. Reads every setting; other settings of the chain are refused, and all problems
   * are reported together.
   *
   * @param settings the settings of the chain, by name
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
