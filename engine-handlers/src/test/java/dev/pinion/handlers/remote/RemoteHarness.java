package dev.pinion.handlers.remote;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.AsyncHandler;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.CommitPoint;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Undoable;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.remote.protocol.FrameCodec;
import dev.pinion.handlers.remote.protocol.HandlerOperation;
import dev.pinion.handlers.remote.protocol.HandlerTask;
import dev.pinion.handlers.remote.protocol.RemoteLimits;
import dev.pinion.handlers.remote.protocol.RemoteTimeouts;
import dev.pinion.handlers.remote.transport.StoreLimits;
import dev.pinion.handlers.remote.transport.Subjects;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A requester and hosts on a network in memory, with a clock that a test moves. */
final class RemoteHarness implements AutoCloseable {
  static final EngineLimits ENGINE = EngineLimits.defaults();
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  final FrameCodec codec;
  final MemoryTransport network;
  final TestClock clock = new TestClock();
  final Requester requester;

  /** Longest wait of a turn for handlers, in real time: less where they hang on purpose. */
  long settleNanos = 50_000_000;

  final List<HandlerHost> hosts = new ArrayList<>();
  private final List<HandlerHost> lost = new ArrayList<>();
  private final List<int[]> subscriptions = new ArrayList<>();
  private final RemoteLimits limits;

  RemoteHarness(RemoteLimits limits, long seed) {
    this.limits = limits;
    this.codec = new FrameCodec(ENGINE, limits);
    this.network = new MemoryTransport(codec, seed);
    this.requester =
        new Requester(
            network,
            null,
            codec,
            new Subjects(HostSettings.PREFIX),
            new RemoteSettings(limits, RemoteTimeouts.DEFAULTS, StoreLimits.DEFAULTS),
            clock,
            Runnable::run);
  }

  HandlerHost host(@Nullable String effects, HandlerFactory... kinds) throws Exception {
    int from = network.listeners();
    TreeMap<String, HandlerFactory> byName = new TreeMap<>();
    for (HandlerFactory each : kinds) {
      byName.put(each.name(), each);
    }
    HandlerHost host =
        new HandlerHost(
            new HostSettings(HostSettings.PREFIX, 1, effects, limits, RemoteTimeouts.DEFAULTS),
            byName,
            network,
            ENGINE,
            clock);
    hosts.add(host);
    subscriptions.add(new int[] {from, network.listeners()});
    return host;
  }

  /** Silences the host that was made last, in the middle of its work. */
  void killLast() {
    int[] own = subscriptions.removeLast();
    network.kill(own[0], own[1]);
    lost.add(hosts.removeLast());
  }

  Pending send(String kind, EffectClass effect) {
    return send(kind, effect, HandlerOperation.HANDLE, "{}");
  }

  Pending send(String kind, EffectClass effect, HandlerOperation handlerOperation, String body) {
    Pending pending = new Pending();
    Message message =
        Message.of(
            MessageId.random(),
            Point.REQUEST_IN,
            Map.of("a", "1"),
            Body.of(body.getBytes(StandardCharsets.UTF_8), Body.JSON));
    requester.begin(
        new HandlerTask(handlerOperation, "chain", "step", kind, Payload.EMPTY_OBJECT, message),
        effect == EffectClass.STATELESS && handlerOperation == HandlerOperation.HANDLE,
        5_000_000_000L,
        pending);
    return pending;
  }

  /** Lets time pass, in small steps, with all events meanwhile. */
  void pass(long millis) {
    for (long i = 0; i < millis; i += 10) {
      clock.advance(10_000_000);
      hosts.forEach(HandlerHost::tick);
      settle();
      requester.tick();
      settle();
    }
  }

  /** Delivers until hosts are idle; handlers run on separate threads. */
  void settle() {
    long began = System.nanoTime();
    do {
      while (network.deliver() > 0) {
        // frames sent meanwhile are delivered as well
      }
      LockSupport.parkNanos(20_000);
    } while (hosts.stream().anyMatch(RemoteHarness::works)
        && System.nanoTime() - began < settleNanos);
    network.deliver();
  }

  private static boolean works(HandlerHost host) {
    return host.statistics().inFlight() > 0;
  }

  /** Delivers until a condition holds, in real time. */
  void until(BooleanSupplier is) {
    long began = System.nanoTime();
    while (!is.getAsBoolean()) {
      network.deliver();
      LockSupport.parkNanos(50_000);
      if (System.nanoTime() - began > PATIENCE_NANOS) {
        throw new AssertionError(
            "expected it within half a minute, found " + requester.statistics());
      }
    }
  }

  @Override
  public void close() {
    hosts.forEach(HandlerHost::close);
    lost.forEach(HandlerHost::close);
    requester.close();
  }

  static HandlerFactory kind(String name, Script script) {
    return kind(name, EffectClass.STATELESS, script);
  }

  static HandlerFactory kind(String name, EffectClass effect, Script script) {
    return new HandlerFactory() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public String summary() {
        return "does what a test says";
      }

      @Override
      public Handler create(Settings settings) {
        return new Scripted(effect, script);
      }
    };
  }

  /** The action of a handler of a test. */
  interface Script {
    Verdict does(HandlerOperation handlerOperation, View message) throws Exception;
  }

  private record Scripted(EffectClass effect, Script script) implements Undoable, CommitPoint {
    @Override
    public Declaration declaration() {
      return Declaration.NOTHING.with(effect);
    }

    @Override
    public Verdict handle(View message) throws Exception {
      return script.does(HandlerOperation.HANDLE, message);
    }

    @Override
    public void undo(View message) throws Exception {
      script.does(HandlerOperation.UNDO, message);
    }

    @Override
    public void rollBack(View message) throws Exception {
      script.does(HandlerOperation.ROLL_BACK, message);
    }

    @Override
    public void close() {}
  }

  /** The calls that a requester receives. */
  static final class Pending implements AsyncHandler.Reply {
    final List<Object> told = new CopyOnWriteArrayList<>();

    @Override
    public void done(Verdict verdict) {
      told.add(verdict);
    }

    @Override
    public void failed(Throwable failure) {
      told.add(failure);
    }

    String text() {
      return told.toString();
    }
  }

  static final class TestClock implements Clock {
    private final AtomicLong nanos = new AtomicLong(1);

    void advance(long by) {
      nanos.addAndGet(by);
    }

    @Override
    public long nanoTime() {
      return nanos.get();
    }

    @Override
    public long epochMillis() {
      return nanos.get() / 1_000_000;
    }

    @Override
    public String scale() {
      return "test";
    }
  }
}
