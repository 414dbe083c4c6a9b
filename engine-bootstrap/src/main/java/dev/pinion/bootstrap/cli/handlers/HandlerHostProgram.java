package dev.pinion.bootstrap.cli.handlers;

import dev.pinion.bootstrap.child.DrainOrder;
import dev.pinion.bootstrap.cli.ExitStatus;
import dev.pinion.handlers.remote.HandlerHost;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Life of a handler host: reports readiness and health, and drains at the end. */
final class HandlerHostProgram {
  private static final Logger LOG = LoggerFactory.getLogger(HandlerHostProgram.class);
  private static final long TURN_MILLIS = 50;

  private final HandlerHost host;
  private final HandlerHostStatusLine announcement;
  private final Duration health;
  private final Duration drain;
  private final DrainOrder stop = new DrainOrder();

  HandlerHostProgram(
      HandlerHost host, HandlerHostStatusLine announcement, Duration health, Duration drain) {
    this.host = host;
    this.announcement = announcement;
    this.health = health;
    this.drain = drain;
  }

  /** Runs until SIGTERM, SIGINT or SIGHUP; returns the exit status. */
  int run(PrintWriter out) {
    stop.giveBy("TERM", "INT", "HUP");
    try (ScheduledExecutorService turns =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("handler-host").factory())) {
      ScheduledFuture<?> turning =
          turns.scheduleWithFixedDelay(this::turn, 0, TURN_MILLIS, TimeUnit.MILLISECONDS);
      print(out, "ready");
      while (!stop.await(health)) {
        print(out, "health");
      }
      boolean drained = host.drain(drain);
      turning.cancel(false);
      print(out, drained ? "drained" : "abandoned");
      return drained ? ExitStatus.OK : ExitStatus.FAILURE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitStatus.FAILURE;
    }
  }

  private void turn() {
    try {
      host.tick();
    } catch (RuntimeException e) { // the next turn follows anyway
      LOG.error("looking after the host failed", e);
    }
  }

  private void print(PrintWriter out, String what) {
    out.println(announcement.line(what, host.name(), host.statistics()));
    out.flush();
  }
}
