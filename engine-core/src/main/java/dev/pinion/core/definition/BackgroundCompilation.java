package dev.pinion.core.definition;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Compiles definitions before they are needed, on another thread. Each is compiled once, also while
 * it is asked for again and again. For any thread.
 */
final class BackgroundCompilation {
  private final Set<InstalledDefinition> underWay = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Executor executor;

  /** Sets who compiles from now on. What another one has begun may be begun anew. */
  void use(Executor other) {
    executor = other;
    underWay.clear();
  }

  /**
   * Whether nothing is to be waited for: the definition is compiled, or no other thread can do it
   * now. Else it is being compiled.
   */
  boolean isReady(InstalledDefinition definition) {
    Executor known = executor;
    if (known == null || definition.isSettled()) {
      return true;
    }
    if (underWay.add(definition)) {
      try {
        known.execute(() -> compile(definition));
      } catch (RejectedExecutionException e) {
        underWay.remove(definition);
        return true;
      }
    }
    return false;
  }

  private void compile(InstalledDefinition definition) {
    try {
      var _ = definition.compiled();
    } finally {
      underWay.remove(definition);
    }
  }
}
