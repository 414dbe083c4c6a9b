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
   * Whether such a handler works in a handler host, outside the engine.
   *
   * @param settings the settings of the chain; empty while they are not known
   */
  default boolean runsInHosts(Settings settings) {
    return true;
  }
}
