package dev.pinion.core.language;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The stack that passes of the compiler run on. They recurse as deep as tasks are nested, and with
 * the greatest limit of nesting they need about as much as a thread has by default.
 */
final class CompilerStack {
  /** Depth of documents for which the stack of any thread is large enough, several times over. */
  static final int SHALLOW = 512;

  /** Bytes for each level of a document: three times what was measured with compiled code. */
  private static final int LEVEL_BYTES = 2_048;

  private CompilerStack() {}

  /** Runs passes over a document of at most so many levels, and waits for their result. */
  static <T> T run(int maxDepth, Supplier<T> passes) {
    if (maxDepth <= SHALLOW) {
      return passes.get();
    }
    Executor stack =
        task ->
            Thread.ofPlatform()
                .name("compiler")
                .daemon()
                .stackSize((long) maxDepth * LEVEL_BYTES)
                .start(task);
    try {
      return CompletableFuture.supplyAsync(passes, stack).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }
}
