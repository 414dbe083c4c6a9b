package dev.pinion.bootstrap.cli.handlers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.config.ChainReader;
import dev.pinion.handlers.config.HandlerKinds;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.remote.HostSettings;
import dev.pinion.handlers.remote.RemoteHandlerProvider;
import dev.pinion.handlers.remote.RemoteSettings;
import dev.pinion.handlers.remote.RemoteStatistics;
import dev.pinion.handlers.remote.transport.NatsTransport;
import dev.pinion.handlers.run.Chain;
import dev.pinion.handlers.run.Outcome;
import dev.pinion.handlers.run.WorkerPool;
import dev.pinion.handlers.run.WorkerSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Messages through a chain whose handlers run in other processes, while these and the NATS server
 * are killed with SIGKILL at random.
 */
class HandlerHostFaultsTest {
  private static final int HOSTS = 2;
  private static final int WORKERS = 2;
  private static final int KILLED = 128 + 9;
  private static final int AT_ONCE = 64;
  private static final int FAILS_EVERY = 25;
  private static final int PATIENCE_MINUTES = 5;

  @TempDir private Path folder;

  private final List<HostProcess> hosts = new ArrayList<>();
  private int hostKills;
  private int serverKills;

  @Test
  void shouldLoseNothingWhileHostsAndServerAreKilled() throws Exception {
    RemoteStatistics _ = kills(240, 4, Long.getLong("pinion.seed", 20_261_122));
  }

  @Test
  @Tag("long")
  void shouldLoseNoneOfTenThousandMessagesUnderFiftyKills() throws Exception {
    RemoteStatistics seen = kills(10_000, 50, Long.getLong("pinion.seed", System.nanoTime()));

    assertTrue(seen.lostHosts() > 0, "hosts were to be lost with messages under way: " + seen);
  }

  private RemoteStatistics kills(int messages, int kills, long seed) throws Exception {
    System.out.println(
        messages + " messages, " + kills + " kills, seed " + seed + "; -Dpinion.seed=N runs it");
    List<CompletableFuture<Outcome>> outcomes = new ArrayList<>();
    RemoteStatistics seen;
    long repeats;
    try (NatsServerProcess server = NatsServerProcess.start();
        NatsTransport transport = NatsTransport.connect(server.url(), "engine");
        RemoteHandlerProvider places =
            new RemoteHandlerProvider(
                transport,
                HostSettings.PREFIX,
                EngineLimits.defaults(),
                RemoteSettings.DEFAULTS,
                Clock.system());
        WorkerPool workers = new WorkerPool(WorkerSettings.parked(2, 0), Clock.system());
        Chain chain = new Chain(plan(places), workers, EngineLimits.defaults())) {
      for (int i = 0; i < HOSTS; i++) {
        hosts.add(host(server));
      }
      hosts.forEach(HostProcess::awaitReady);
      Random random = new Random(seed);
      int slice = messages / kills;
      int killAt = random.nextInt(slice);
      for (int i = 0; i < messages; i++) {
        if (i >= AT_ONCE) {
          await(outcomes.get(i - AT_ONCE));
        }
        outcomes.add(enter(chain, i));
        if (i == killAt) {
          kill(random, server);
          killAt = (i / slice + 1) * slice + random.nextInt(slice);
        }
      }
      for (CompletableFuture<Outcome> each : outcomes) {
        await(each);
      }
      seen = places.statistics();
      repeats = chain.statistics().getFirst().repeats();
    } finally {
      hosts.forEach(HostProcess::close);
    }
    assertEquals(kills, hostKills + serverKills, "kills");
    check(outcomes, seen, repeats);
    return seen;
  }

  /** Kills the server, or a host that accepts messages; another one replaces it. */
  private void kill(Random random, NatsServerProcess server) throws Exception {
    if (random.nextInt(3) == 0) {
      server.killAndStart();
      serverKills++;
      return;
    }
    int victim = random.nextInt(HOSTS);
    hosts.get(victim).awaitReady().kill();
    assertEquals(KILLED, hosts.get(victim).exit(), "by SIGKILL, and not before");
    hostKills++;
    hosts.set(victim, host(server));
  }

  private HostProcess host(NatsServerProcess server) throws Exception {
    return HostProcess.start(
        "--nats",
        server.url(),
        "--workers",
        Integer.toString(WORKERS),
        "--effects",
        "jdbc:sqlite:" + folder.resolve("effects.db"),
        "--handlers-path",
        HostProcess.kinds(folder, Bookings.Book.class, Bookings.Confirm.class, Bookings.Check.class)
            .toString());
  }

  private String database() {
    return "jdbc:sqlite:" + folder.resolve("bookings.db");
  }

  private ChainPlan plan(RemoteHandlerProvider places) throws Exception {
    String document =
        """
        chains:
        - name: booking
          window: 64
          handlers:
          - {use: book, place: remote, partner: confirm, settings: {database: "%1$s"}}
          - {use: check, place: remote}
          - {use: confirm, place: remote, settings: {database: "%1$s"}}
        """
            .formatted(database());
    HandlerKinds kinds =
        HandlerKinds.of(List.of(new Bookings.Book(), new Bookings.Confirm(), new Bookings.Check()));
    return new ChainReader(kinds, EngineLimits.defaults(), places).read(document).getFirst().plan();
  }

  private static boolean fails(int number) {
    return number % FAILS_EVERY == 7;
  }

  private static CompletableFuture<Outcome> enter(Chain chain, int number) {
    Message message =
        Message.of(
            new MessageId(9, number),
            Point.REQUEST_IN,
            Map.of("number", Integer.toString(number), "fails", fails(number) ? "yes" : "no"),
            Body.EMPTY);
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    chain.enter(
        message,
        outcome,
        (context, end) -> {
          if (!context.complete(end)) {
            context.obtrudeException(new AssertionError("a second outcome: " + end));
          }
        });
    return outcome;
  }

  private static Outcome await(CompletableFuture<Outcome> outcome) throws Exception {
    return outcome.get(PATIENCE_MINUTES, TimeUnit.MINUTES);
  }

  /**
   * Every message has its outcome, and one booking or none.
   *
   * @param repeats repetitions of the preparing step by the chain
   */
  private void check(List<CompletableFuture<Outcome>> outcomes, RemoteStatistics seen, long repeats)
      throws Exception {
    int stopped = 0;
    for (int i = 0; i < outcomes.size(); i++) {
      Outcome outcome = await(outcomes.get(i));
      if (fails(i)) {
        stopped++;
        Outcome.Refused refused = assertInstanceOf(Outcome.Refused.class, outcome);
        assertEquals("check", refused.handler());
        assertEquals(500, refused.problem().status());
      } else {
        Outcome.Proceed proceed = assertInstanceOf(Outcome.Proceed.class, outcome, "message " + i);
        assertEquals(Integer.toString(i), proceed.message().properties().get("checked"));
      }
    }
    int done = outcomes.size() - stopped;
    try (Bookings bookings = new Bookings(database())) {
      Bookings.Tally tally = bookings.tally();
      int redeliveries = tally.askedInAll() - outcomes.size();
      System.out.println(
          done
              + " done, "
              + stopped
              + " stopped, "
              + hostKills
              + " hosts and "
              + serverKills
              + " servers killed, "
              + redeliveries
              + " redeliveries, "
              + tally
              + ", "
              + seen);
      assertEquals(done, tally.rows(), "one row for each message that was not stopped");
      assertEquals(done, tally.messages());
      assertEquals(done, tally.committed());
      assertEquals(outcomes.size(), tally.askedMessages(), "hosts were asked for every message");
      assertTrue(
          redeliveries <= seen.lostHosts() + repeats,
          "a message comes again after a lost host or a failure only: " + tally + ", " + seen);
      assertTrue(
          tally.askedAgain() <= repeats,
          "no host makes an attempt twice: " + tally + ", " + repeats + " repeats");
      assertEquals(0, tally.unasked(), "nothing is prepared of which no host was asked");
      assertTrue(
          tally.asked() - tally.deliveries() <= hostKills * WORKERS,
          "what a host was asked for is done, unless it was killed at it: " + tally);
    }
    assertTrue(seen.sentAgain() > 0, "kills were to be felt: " + seen);
  }
}
