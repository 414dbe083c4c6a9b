package dev.pinion.core.engine;

import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.loop.IdleStrategy;
import dev.pinion.core.loop.StageLoop;
import dev.pinion.core.loop.StageLoopGroup;
import dev.pinion.core.settings.EngineSettings;
import dev.pinion.core.settings.StageLayout;
import dev.pinion.core.stage.Stage;
import dev.pinion.core.stage.Wakeup;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loops of an engine: the layout in force, with the stages of the pipeline on them. Laid
 * once, by the thread that starts the engine; any thread afterwards.
 */
final class EngineLoops {
  private static final Logger LOG = LoggerFactory.getLogger(EngineLoops.class);

  private final EngineSettings settings;
  private final Pipeline pipeline;
  private final List<StageLoopGroup> groups = new ArrayList<>();
  private @Nullable StageLoopGroup request;
  private @Nullable StageLoopGroup invoker;

  /** Makes the stages that belong to loops of their own kind. */
  @FunctionalInterface
  interface StageMaker {
    /**
     * Adds Request Handlers and Invokers to the pipeline.
     *
     * @param requestLoops the loops of client connections
     * @param invokerLoops the loops of calls, which may be the same
     */
    void addStages(StageLoopGroup requestLoops, StageLoopGroup invokerLoops);
  }

  /** No loops yet. */
  EngineLoops(EngineSettings settings, Pipeline pipeline) {
    this.settings = settings;
    this.pipeline = pipeline;
  }

  /** The loops of client connections. */
  StageLoopGroup request() {
    return Objects.requireNonNull(request, "loops that were laid");
  }

  /** The loops of calls, which may be the same. */
  StageLoopGroup invoker() {
    return Objects.requireNonNull(invoker, "loops that were laid");
  }

  /** Makes the loops of the layout, and distributes the stages over them. */
  void lay(StageMaker stageMaker, ConnectionWarmUp ahead) {
    switch (settings.layout()) {
      case StageLayout.Fused fused -> layFused(fused, stageMaker, ahead);
      case StageLayout.Pipelined pipelined -> layPipelined(pipelined, stageMaker, ahead);
    }
  }

  private void layFused(StageLayout.Fused layout, StageMaker stageMaker, ConnectionWarmUp ahead) {
    StageLoopGroup loops = loops("fused", layout.loops(), settings.waiting().fused());
    request = loops;
    invoker = loops;
    stageMaker.addStages(loops, loops);
    for (int i = 0; i < layout.loops(); i++) {
      StageLoop loop = loops.loops().get(i);
      wake(i, loop);
      loop.host(
          List.of(
              pipeline.kernels().get(i),
              pipeline.invokers().get(i),
              pipeline.requestHandlers().get(i)));
      ahead.begin(pipeline.invokers().get(i), loop);
    }
  }

  private void layPipelined(
      StageLayout.Pipelined layout, StageMaker stageMaker, ConnectionWarmUp ahead) {
    StageLoopGroup requestLoops =
        loops("request", layout.requestLoops(), settings.waiting().request());
    StageLoopGroup kernelLoops = loops("kernel", layout.kernelLoops(), settings.waiting().kernel());
    StageLoopGroup invokerLoops =
        loops("invoker", layout.invokerLoops(), settings.waiting().invoker());
    request = requestLoops;
    invoker = invokerLoops;
    stageMaker.addStages(requestLoops, invokerLoops);
    for (int i = 0; i < layout.kernelLoops(); i++) {
      wakeKernel(i, kernelLoops.loops().get(i));
    }
    for (int i = 0; i < layout.invokerLoops(); i++) {
      pipeline.invocations().get(i).attach(invokerLoops.loops().get(i));
    }
    for (int i = 0; i < layout.requestLoops(); i++) {
      pipeline.requestHandlers().get(i).replies().attach(requestLoops.loops().get(i));
    }
    hostEach(kernelLoops, pipeline.kernels());
    hostEach(invokerLoops, pipeline.invokers());
    for (int i = 0; i < layout.invokerLoops(); i++) {
      ahead.begin(pipeline.invokers().get(i), invokerLoops.loops().get(i));
    }
    hostEach(requestLoops, pipeline.requestHandlers());
  }

  private StageLoopGroup loops(String name, int count, IdleStrategy idleStrategy) {
    StageLoopGroup loops =
        new StageLoopGroup(
            name,
            count,
            settings.transport(),
            settings.clock(),
            idleStrategy,
            settings.limits().loop().spinMillis(),
            settings.threads());
    groups.add(loops);
    return loops;
  }

  private void wake(int index, Wakeup loop) {
    wakeKernel(index, loop);
    pipeline.invocations().get(index).attach(loop);
    pipeline.requestHandlers().get(index).replies().attach(loop);
  }

  private void wakeKernel(int index, Wakeup loop) {
    Kernel kernel = pipeline.kernels().get(index);
    kernel.requests().attach(loop);
    kernel.completions().attach(loop);
    kernel.events().lane().attach(loop);
    SafeStore safeStore = pipeline.safeStore();
    if (safeStore != null) {
      safeStore.journal(index).setWakeup(loop);
    }
  }

  private static void hostEach(StageLoopGroup loops, List<? extends Stage> stages) {
    for (int i = 0; i < stages.size(); i++) {
      loops.loops().get(i).host(List.of(stages.get(i)));
    }
  }

  /** Completes when every loop has run once more. */
  CompletableFuture<Void> round() {
    List<CompletableFuture<Void>> rounds = new ArrayList<>();
    for (StageLoopGroup group : groups) {
      for (StageLoop loop : group.loops()) {
        rounds.add(CompletableFuture.runAsync(() -> {}, loop));
      }
    }
    return CompletableFuture.allOf(rounds.toArray(new CompletableFuture<?>[0]));
  }

  /**
   * Ends every loop.
   *
   * @param seconds the time that each may take
   * @return whether all have ended in time
   */
  boolean stop(long seconds) {
    List<Future<?>> stopped = new ArrayList<>();
    for (StageLoopGroup group : groups) {
      stopped.add(group.shutdownGracefully(0, seconds, TimeUnit.SECONDS));
    }
    boolean all = true;
    for (Future<?> stop : stopped) {
      if (!stop.awaitUninterruptibly(seconds, TimeUnit.SECONDS)) {
        LOG.warn("event loops did not stop within {} s", seconds);
        all = false;
      }
    }
    return all;
  }
}
