package dev.pinion.benchmarks.experiments.dharch;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.benchmarks.bare.SingleLoopServer;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.handlers.ChainRegistry;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.run.Chain;
import dev.pinion.handlers.run.MessageGateway;
import dev.pinion.handlers.run.Outcome;
import dev.pinion.handlers.run.SerialRun;
import dev.pinion.handlers.run.StepStatistics;
import dev.pinion.handlers.run.Workers;
import dev.pinion.workloads.transport.NettyTransport;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends the posted messages of clients through chains, and returns the results.
 *
 * <p>{@code POST /chain/NAME} goes through a chain. {@code POST /serial/NAME} goes through the same
 * handlers like a conventional chain: one after another on a thread for each request, however many
 * there are. {@code GET /chains} returns the layout of chains and the times of steps. {@code POST
 * /twice/NAME} goes through the handlers twice at the same time, on two threads with a CPU each:
 * the ratio to the time of once shows the worth of a second CPU at that moment.
 */
public final class ChainServer {
  private final ChainRegistry chainRegistry;
  private final Workers workers;
  private final EngineLimits limits;

  // Unbounded on purpose: in the comparison only its clients bound it.
  private final ExecutorService conventional =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("request-", 0).factory());

  private final ExecutorService pair;

  private ChainServer(ChainRegistry chainRegistry, Workers workers, EngineLimits limits) {
    this.chainRegistry = chainRegistry;
    this.workers = workers;
    this.limits = limits;
    WorkerPinning own = new WorkerPinning();
    this.pair =
        Executors.newFixedThreadPool(
            2,
            task ->
                Thread.ofPlatform()
                    .daemon()
                    .name("pair")
                    .unstarted(
                        () -> {
                          own.run();
                          task.run();
                        }));
  }

  /** Starts the server on a free port of the loopback interface. */
  public static SingleLoopServer start(
      ChainRegistry chainRegistry, Workers workers, EngineLimits limits) {
    ChainServer server = new ChainServer(chainRegistry, workers, limits);
    NettyTransport nettyTransport = NettyTransport.best();
    return SingleLoopServer.listen(
        nettyTransport.loops(1, "chains"), nettyTransport, 0, () -> new ChainConnection(server));
  }

  /** Sends a message through a chain; the exit may be called on any thread. */
  void enter(String chain, byte[] body, MessageGateway.Completion<String> completion) {
    chainRegistry.enter(message(chain, body), chain, completion);
  }

  /** Sends a message through the handlers one after another; returns false for an unknown chain. */
  boolean enterSerially(String name, byte[] body, MessageGateway.Completion<String> completion) {
    Chain chain = chainRegistry.inForce().get(name);
    if (chain == null) {
      return false;
    }
    conventional.execute(
        () -> completion.complete(name, SerialRun.run(chain.plan(), message(name, body), limits)));
    return true;
  }

  /**
   * Sends a message through the handlers twice at once; the exit is called once, for the later one.
   */
  boolean enterTwice(String name, byte[] body, MessageGateway.Completion<String> completion) {
    Chain chain = chainRegistry.inForce().get(name);
    if (chain == null) {
      return false;
    }
    AtomicInteger underWay = new AtomicInteger(2);
    for (int i = 0; i < 2; i++) {
      pair.execute(
          () -> {
            Outcome outcome = SerialRun.run(chain.plan(), message(name, body), limits);
            if (underWay.decrementAndGet() == 0) {
              completion.complete(name, outcome);
            }
          });
    }
    return true;
  }

  private static Message message(String chain, byte[] body) {
    return Message.of(
        MessageId.random(),
        Point.REQUEST_IN,
        Map.of(ChainRegistry.CHAIN, chain),
        Body.of(body, "text/csv"));
  }

  /** Result of the handlers as text; null when they rejected the message. */
  static @Nullable String found(Outcome outcome) {
    if (!(outcome instanceof Outcome.Proceed(Message message))) {
      return null;
    }
    StringBuilder text = new StringBuilder();
    message
        .properties()
        .forEach(
            (name, value) -> {
              if (name.startsWith("bench-")) {
                text.append(name).append(": ").append(value).append('\n');
              }
            });
    return text.append("body: ").append(message.body().size()).append('\n').toString();
  }

  /** Current layout of chains, and recent times of their steps. */
  ObjectNode describe() {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.put("handOverNanos", workers.handoffNanos());
    ObjectNode byName = all.putObject("chains");
    chainRegistry
        .inForce()
        .forEach(
            (name, chain) -> {
              ObjectNode one = byName.putObject(name);
              one.put(
                  "workers",
                  chain.workersOfStages().stream().mapToInt(each -> each).max().orElse(1));
              one.put("window", chain.windowSize());
              ObjectNode steps = one.putObject("nanos");
              for (StepStatistics step : chain.statistics()) {
                steps.put(step.name(), step.recentNanos());
              }
            });
    return all;
  }
}
