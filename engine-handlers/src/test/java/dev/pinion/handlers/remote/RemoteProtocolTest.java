package dev.pinion.handlers.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.InDoubtException;
import dev.pinion.handlers.api.Verdict;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requester and hosts on a network that loses, doubles and garbles, with a clock set by hand. */
class RemoteProtocolTest {
  private static final RemoteLimits LIMITS = RemoteLimits.DEFAULTS;

  private final AtomicInteger calls = new AtomicInteger();
  private final CountDownLatch blocked = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  @TempDir private Path folder;

  private HandlerFactory counting(EffectClass effect) {
    return Wire.kind(
        "count",
        effect,
        (operation, view) -> {
          calls.incrementAndGet();
          return Verdict.goOn(Changes.NONE.property("x", operation.name()));
        });
  }

  private HandlerFactory blocking(EffectClass effect) {
    return Wire.kind(
        "block",
        effect,
        (operation, view) -> {
          if (calls.incrementAndGet() == 1) {
            blocked.countDown();
            release.await(30, TimeUnit.SECONDS);
          }
          return Verdict.UNCHANGED;
        });
  }

  private String database() {
    return "jdbc:sqlite:" + folder.resolve("effects.db");
  }

  @Test
  void shouldAnswerWithTheVerdictOfTheHost() throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      wire.host(null, counting(EffectClass.STATELESS));
      for (EffectClass effect : EffectClass.values()) {
        Wire.Pending pending = wire.send("count", effect);
        wire.until(() -> !pending.told.isEmpty());

        assertEquals(List.of(Verdict.goOn(Changes.NONE.property("x", "HANDLE"))), pending.told);
      }
      Wire.Pending undo = wire.send("count", EffectClass.STATELESS, Operation.UNDO, "{}");
      wire.until(() -> !undo.told.isEmpty());
      assertEquals(List.of(Verdict.UNCHANGED), undo.told);
    }
  }

  @Test
  void shouldSendAgainWhatGetsLostAndRunItOnce() throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      HandlerHost host = wire.host(null, counting(EffectClass.ATOMIC));
      AtomicInteger lost = new AtomicInteger();
      wire.network.losing(frame -> frame instanceof Frame.Done && lost.incrementAndGet() <= 2);

      Wire.Pending pending = wire.send("count", EffectClass.ATOMIC);
      wire.pass(1_500);

      assertEquals(1, pending.told.size(), pending.text());
      assertInstanceOf(Verdict.GoOn.class, pending.told.getFirst());
      assertEquals(1, calls.get());
      assertEquals(2, host.statistics().duplicates());
      assertEquals(2, wire.requester.statistics().probes());
      assertEquals(0, wire.requester.statistics().sentAgain());
    }
  }

  @Test
  void shouldGiveAMessageToAnotherHostWhenItsHostIsLost() throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      wire.host(null, blocking(EffectClass.STATELESS));
      Wire.Pending pending = wire.send("block", EffectClass.STATELESS);
      wire.until(() -> blocked.getCount() == 0);
      wire.killLast();
      wire.host(null, blocking(EffectClass.STATELESS));
      wire.pass(3_000);

      assertEquals(List.of(Verdict.UNCHANGED), pending.told);
      assertEquals(2, calls.get());
      assertEquals(1, wire.requester.statistics().lostHosts());
      release.countDown();
    }
  }

  @Test
  void shouldNotRunAnEffectAgainThatNobodyKnowsOf() throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      wire.host(null, blocking(EffectClass.TRANSACTIONAL));
      Wire.Pending pending = wire.send("block", EffectClass.TRANSACTIONAL);
      wire.until(() -> blocked.getCount() == 0);
      wire.killLast();
      wire.host(null, blocking(EffectClass.TRANSACTIONAL));
      wire.pass(3_000);

      assertEquals(1, pending.told.size());
      assertInstanceOf(InDoubtException.class, pending.told.getFirst());
      assertEquals(1, calls.get());
      release.countDown();
    }
  }

  @Test
  void shouldTakeOverEffectsThatMayBeBegunAgain() throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      HandlerHost first = wire.host(database(), blocking(EffectClass.TRANSACTIONAL));
      Wire.Pending pending = wire.send("block", EffectClass.TRANSACTIONAL);
      wire.until(() -> blocked.getCount() == 0);
      wire.killLast();
      HandlerHost other = wire.host(database(), blocking(EffectClass.TRANSACTIONAL));
      wire.pass(3_000);

      assertEquals(List.of(Verdict.UNCHANGED), pending.told);
      assertEquals(1, other.statistics().takenOver());
      release.countDown(); // the lost host was only silent: its answer is fenced off
      wire.until(() -> first.statistics().fenced() == 1);
      first.close();
    }
  }

  @Test
  void shouldTakeOverWhatAnEarlierLostHostHadBegun() throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      // given a host that is lost with the effect, and one that is lost before it has read it
      HandlerHost first = wire.host(database(), blocking(EffectClass.TRANSACTIONAL));
      Wire.Pending pending = wire.send("block", EffectClass.TRANSACTIONAL);
      wire.until(() -> blocked.getCount() == 0);
      wire.killLast();
      CountDownLatch entered = new CountDownLatch(1);
      wire.host(
          database(),
          blocking(EffectClass.TRANSACTIONAL),
          Wire.kind(
              "hold",
              (operation, view) -> {
                entered.countDown();
                release.await(30, TimeUnit.SECONDS);
                return Verdict.UNCHANGED;
              }));
      wire.send("hold", EffectClass.STATELESS);
      wire.until(() -> entered.getCount() == 0);
      wire.settleNanos = 1_000_000;
      wire.pass(2_000);
      wire.killLast();

      // when a third one gets it
      HandlerHost third = wire.host(database(), blocking(EffectClass.TRANSACTIONAL));
      wire.pass(2_500);

      // then it knows that both are lost
      assertEquals(List.of(Verdict.UNCHANGED), pending.told);
      assertEquals(1, third.statistics().takenOver());
      assertEquals(3, wire.requester.statistics().lostHosts(), "two with it, one with the other");
      release.countDown();
      first.close();
    }
  }

  @Test
  void shouldNotSendAgainToAHostThatIsNotHeardOf() throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      wire.host(null, blocking(EffectClass.STATELESS));
      Wire.Pending pending = wire.send("block", EffectClass.STATELESS);
      wire.until(() -> blocked.getCount() == 0);
      wire.pass(300); // it has sent a heartbeat
      wire.killLast();
      wire.host(null, blocking(EffectClass.STATELESS));
      wire.pass(1_400);
      assertEquals(List.of(), pending.told);
      assertTrue(wire.requester.statistics().probes() <= 1, "one, before it can be known");

      wire.pass(300);

      assertEquals(List.of(Verdict.UNCHANGED), pending.told);
      assertEquals(1, wire.requester.statistics().sentAgain());
      assertTrue(wire.requester.statistics().probes() <= 1);
      release.countDown();
    }
  }

  @Test
  void shouldSendNothingWithoutAConnection() throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      wire.host(null, counting(EffectClass.STATELESS));
      wire.network.connected = false;
      Wire.Pending pending = wire.send("count", EffectClass.STATELESS);
      wire.pass(3_000);
      assertEquals(List.of(), pending.told);

      wire.network.connected = true;
      wire.pass(30);

      assertEquals(1, pending.told.size(), pending.text());
      assertEquals(0, wire.requester.statistics().sentAgain());
      assertEquals(0, wire.requester.statistics().probes());
    }
  }

  @Test
  void shouldLeaveAtomicEffectsOfALostHostInDoubt() throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      wire.host(database(), blocking(EffectClass.ATOMIC));
      Wire.Pending pending = wire.send("block", EffectClass.ATOMIC);
      wire.until(() -> blocked.getCount() == 0);
      wire.killLast();
      wire.host(database(), blocking(EffectClass.ATOMIC));
      wire.pass(3_000);

      assertInstanceOf(InDoubtException.class, pending.told.getFirst());
      assertEquals(1, calls.get());
      release.countDown();
    }
  }

  @Test
  void shouldTakeTheAnswerOfALostHostFromTheTable() throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      HandlerHost host = wire.host(database(), counting(EffectClass.ATOMIC));
      wire.network.losing(frame -> frame instanceof Frame.Done);
      Wire.Pending pending = wire.send("count", EffectClass.ATOMIC);
      wire.until(() -> host.statistics().done() == 1 && host.statistics().inFlight() == 0);
      wire.killLast();
      wire.network.losing(frame -> false);
      wire.host(database(), counting(EffectClass.ATOMIC));
      wire.pass(3_000);

      assertInstanceOf(Verdict.GoOn.class, pending.told.getFirst());
      assertEquals(1, calls.get());
    }
  }

  @Test
  void shouldRefuseBeyondTheWindowOfAHostAndServeItLater() throws Exception {
    try (Wire wire = new Wire(LIMITS.withHostWindow(2), 1)) {
      HandlerHost host = wire.host(null, blocking(EffectClass.STATELESS));
      List<Wire.Pending> all = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        all.add(wire.send("block", EffectClass.STATELESS));
      }
      wire.until(() -> host.statistics().busy() == 3);
      assertEquals(2, host.statistics().inFlight());

      release.countDown();
      wire.pass(1_000);
      assertTrue(all.stream().allMatch(each -> each.told.equals(List.of(Verdict.UNCHANGED))));
      assertEquals(5, calls.get());
    }
  }

  @Test
  void shouldRefuseBeyondTheMostInFlight() throws Exception {
    RemoteLimits two =
        RemoteSettings.DEFAULTS.with(Map.of("handlers.remote.maxInFlight", 2)).limits();
    try (Wire wire = new Wire(two, 1)) {
      Wire.Pending first = wire.send("none", EffectClass.STATELESS);
      Wire.Pending second = wire.send("none", EffectClass.STATELESS);
      Wire.Pending third = wire.send("none", EffectClass.STATELESS);

      assertTrue(third.text().contains("at most 2"), third.text());
      assertTrue(first.told.isEmpty() && second.told.isEmpty());
      wire.pass(5_200);
      assertTrue(first.text().contains("found none in time"), first.text());
      wire.pass(10_200); // late answers are still accepted until then
      assertEquals(0, wire.requester.statistics().inFlight());
    }
  }

  @Test
  void shouldRefuseBeyondTheBytesInFlight() throws Exception {
    RemoteLimits few =
        RemoteSettings.DEFAULTS.with(Map.of("handlers.remote.maxInFlightBytes", 1 << 10)).limits();
    try (Wire wire = new Wire(few, 1)) {
      String half = "x".repeat(510); // and two characters of a property
      Wire.Pending first = send(wire, half);
      Wire.Pending second = send(wire, half);
      assertTrue(first.told.isEmpty() && second.told.isEmpty(), "at the bound");

      Wire.Pending third = send(wire, "");
      assertTrue(third.text().contains("handlers.remote.maxInFlightBytes"), third.text());
      assertTrue(third.text().contains("found 1026"), third.text());
      wire.pass(15_400);
      assertEquals(0, wire.requester.statistics().inFlight());

      assertTrue(send(wire, "x".repeat(5_000)).told.isEmpty(), "one alone may be larger");
    }
  }

  private static Wire.Pending send(Wire wire, String body) {
    return wire.send("none", EffectClass.STATELESS, Operation.HANDLE, body);
  }

  @Test
  void shouldTellFailuresAndWrongSettings() throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      wire.host(
          null,
          Wire.kind(
              "count",
              (operation, view) -> {
                throw new StackOverflowError("deep");
              }));
      Wire.Pending pending = wire.send("count", EffectClass.STATELESS);
      wire.until(() -> !pending.told.isEmpty());

      assertInstanceOf(RemoteException.class, pending.told.getFirst());
      assertTrue(pending.text().contains("StackOverflowError: deep"), pending.text());
    }
  }

  @Test
  void shouldTellLateAnswersSoThatTheyAreTakenBack() throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      HandlerHost host =
          wire.host(
              null,
              Wire.kind(
                  "block",
                  EffectClass.QUASI_ATOMIC,
                  (operation, view) -> {
                    blocked.countDown();
                    try {
                      release.await(30, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                      release.await(30, TimeUnit.SECONDS); // one that ignores interrupts
                    }
                    return Verdict.UNCHANGED;
                  }));
      Wire.Pending pending = wire.send("block", EffectClass.QUASI_ATOMIC);
      wire.until(() -> blocked.getCount() == 0);
      wire.settleNanos = 1_000_000;
      wire.clock.advance(4_000_000_000L);
      wire.pass(1_300);

      assertInstanceOf(InDoubtException.class, pending.told.getFirst());
      assertEquals(1, host.statistics().overdue());
      assertEquals(1, host.statistics().stuck());
      release.countDown();
      wire.until(() -> pending.told.size() == 2);
      assertEquals(Verdict.UNCHANGED, pending.told.get(1));
      wire.pass(20);
      assertEquals(0, host.statistics().stuck());
    }
  }

  @ParameterizedTest // Field fault 9: after a pause, answers that had come counted as late
  @EnumSource(EffectClass.class)
  @Timeout(60)
  void shouldTakeAnswersThatCameWhileTheProcessStoodStill(EffectClass effect) throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      HandlerHost host = wire.host(null, blocking(effect));
      Wire.Pending pending = wire.send("block", effect);
      Wire.Pending silent = wire.send("nobody-has-it", effect);
      wire.until(() -> blocked.getCount() == 0);
      release.countDown();
      while (host.statistics().inFlight() > 0) {
        Thread.onSpinWait(); // until its answer is in the socket
      }

      wire.clock.advance(36_000_000_000L);
      wire.requester.turn();
      host.turn();
      assertEquals(List.of(), pending.told);
      wire.network.deliver();
      assertEquals(List.of(Verdict.UNCHANGED), pending.told);

      wire.pass(1_000);
      assertEquals(List.of(), silent.told);
      wire.pass(200);
      assertEquals(1, silent.told.size(), silent.text());
    }
  }

  @Test // Field fault 9
  void shouldNotTakeAHostForLostWhoseBeatsCameWhileTheProcessStoodStill() throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      wire.host(null, blocking(EffectClass.ATOMIC));
      Wire.Pending pending = wire.send("block", EffectClass.ATOMIC);
      wire.until(() -> blocked.getCount() == 0);
      wire.settleNanos = 1_000_000;

      wire.clock.advance(3_000_000_000L); // less than the time that the handler has
      wire.requester.turn();
      wire.pass(1_500);
      assertEquals(0, wire.requester.statistics().lostHosts());
      assertEquals(List.of(), pending.told);
      release.countDown();
      wire.until(() -> !pending.told.isEmpty());
      assertEquals(List.of(Verdict.UNCHANGED), pending.told);
    }
  }

  @Test
  void shouldRefuseMessagesThatAreTooLarge() throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      wire.host(null, counting(EffectClass.STATELESS));
      wire.network.maxBytes = 1_000;
      Wire.Pending pending =
          wire.send(
              "count", EffectClass.STATELESS, Operation.HANDLE, "\"" + "x".repeat(1_000) + "\"");

      assertTrue(pending.text().contains("max_payload"), pending.text());
    }
  }

  @Test
  void shouldGiveUpAMessageThatKillsItsHosts() throws Exception {
    RemoteLimits one =
        RemoteSettings.DEFAULTS.with(Map.of("handlers.remote.maxLostHosts", 1)).limits();
    try (Wire wire = new Wire(one, 1)) {
      wire.settleNanos = 1_000_000;
      Wire.Pending pending = wire.send("block", EffectClass.STATELESS);
      for (int i = 0; i < 2; i++) {
        HandlerHost host = wire.host(null, blockingAlways());
        wire.pass(300);
        wire.until(() -> host.statistics().runs() == 1);
        wire.killLast();
        wire.pass(2_100);
      }

      assertTrue(pending.text().contains("maxLostHosts"), pending.text());
      release.countDown();
    }
  }

  private HandlerFactory blockingAlways() {
    return Wire.kind(
        "block",
        (operation, view) -> {
          release.await(30, TimeUnit.SECONDS);
          return Verdict.UNCHANGED;
        });
  }

  @Test
  void shouldCountGarbageAndGoOn() throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      HandlerHost host = wire.host(null, counting(EffectClass.STATELESS));
      Subjects subjects = new Subjects(HostSettings.PREFIX);
      byte[] other = wire.codec.write(new Frame.Claim(wire.requester.id(), 1, "count", ""));
      other[2] = 2;
      for (byte[] bytes :
          List.of(new byte[0], new byte[100], "PH".getBytes(StandardCharsets.US_ASCII), other)) {
        wire.network.send(subjects.kind("count"), bytes);
        wire.network.send(subjects.requester(wire.requester.id()), bytes);
        wire.network.send(subjects.beats(), bytes);
      }
      wire.network.deliver();
      assertEquals(4, host.statistics().garbage());
      assertEquals(8, wire.requester.statistics().garbage());

      Wire.Pending pending = wire.send("count", EffectClass.STATELESS);
      wire.until(() -> !pending.told.isEmpty());
      assertInstanceOf(Verdict.GoOn.class, pending.told.getFirst());
    }
  }

  @Test
  void shouldNotTakeSilenceForDeathWithoutAConnection() throws Exception {
    try (Wire wire = new Wire(LIMITS, 1)) {
      wire.host(null, blocking(EffectClass.ATOMIC));
      Wire.Pending pending = wire.send("block", EffectClass.ATOMIC);
      wire.until(() -> blocked.getCount() == 0);
      wire.settleNanos = 1_000_000;
      wire.network.connected = false;
      wire.pass(3_000);
      wire.network.connected = true;
      release.countDown();
      wire.pass(1_500);

      assertEquals(List.of(Verdict.UNCHANGED), pending.told);
      assertEquals(1, calls.get());
    }
  }

  /**
   * On a bad network, hosts come and go: each message is answered once, no effect happens twice.
   */
  @Test
  void shouldMakeEachEffectOnceOnABadNetwork() throws Exception {
    long seed = Long.getLong("pinion.seed", 20_261_122);
    System.out.println("bad network of seed " + seed + "; -Dpinion.seed=N runs others");
    Random random = new Random(seed);
    Map<String, Integer> effects = new ConcurrentHashMap<>();
    HandlerFactory effect =
        Wire.kind(
            "effect",
            EffectClass.ATOMIC,
            (operation, view) -> {
              effects.merge(view.id().toString(), 1, Integer::sum);
              return Verdict.UNCHANGED;
            });
    int doubt = 0;
    int done = 0;
    try (Wire wire = new Wire(LIMITS, seed)) {
      wire.network.lossRate = 0.1;
      wire.network.doubleRate = 0.2;
      wire.host(database(), effect);
      List<Wire.Pending> all = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        all.add(wire.send("effect", EffectClass.ATOMIC));
        wire.pass(10);
        if (random.nextInt(20) == 0) {
          wire.killLast();
          wire.host(database(), effect);
        }
      }
      wire.pass(5_500);
      for (Wire.Pending each : all) {
        assertEquals(1, each.told.size(), each.text());
        doubt += each.told.getFirst() instanceof InDoubtException ? 1 : 0;
        done += each.told.getFirst() instanceof Verdict ? 1 : 0;
        assertTrue(
            each.told.getFirst() instanceof Verdict
                || each.told.getFirst() instanceof InDoubtException
                || each.text().contains("found none in time"),
            each.text());
      }
      assertTrue(wire.requester.statistics().sentAgain() > 0);
    }
    assertTrue(effects.values().stream().allMatch(times -> times == 1), effects.toString());
    assertTrue(done <= effects.size() && effects.size() <= done + doubt, done + " and " + doubt);
    assertTrue(done > 40, done + " done");
  }
}
