package dev.pinion.handlers.config;

import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;

/**
 * A kind of handlers with additional jars: its handlers find the classes of the jars, such as a
 * servlet filter named in their settings, by the context class loader of the thread.
 *
 * @param kind makes the handlers
 * @param classes the class path with the jars
 */
record LoadedKind(HandlerFactory kind, ClassLoader classes) implements HandlerFactory {
  @Override
  public String name() {
    return kind.name();
  }

  @Override
  public String summary() {
    return kind.summary();
  }

  @Override
  public boolean runsInHosts(Settings settings) {
    return kind.runsInHosts(settings);
  }

  @Override
  public Handler create(Settings settings) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(classes);
    try {
      return kind.create(settings);
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
