package dev.pinion.workloads.load;

import dev.pinion.workloads.load.ResponseCheck.Problem;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The open model: requests are due by a schedule, and use the free clients in turn, so that all
 * connections are used equally. Without a free client, a request waits for one; its latency counts
 * from when it was due. Requests due before the end are still sent, and abandoned when they have
 * waited for the timeout.
 */
final class ArrivalPacing implements Pacing {
  /** Most requests of a loop that wait for a client; further ones count as errors. */
  static final int MAX_BACKLOG = 1_000_000;

  private final LoadLoop loop;
  private final List<LoadClient> clients;
  private final ArrivalSchedule schedule;
  private final long timeoutNanos;
  private final Deque<LoadClient> free = new ArrayDeque<>();
  private final Deque<DueRequest> backlog = new ArrayDeque<>();
  private long startNanos;
  private long nextNanos;
  private boolean over;

  private record DueRequest(long atNanos, boolean measured) {}

  ArrivalPacing(
      LoadLoop loop, List<LoadClient> clients, ArrivalSchedule schedule, long timeoutNanos) {
    this.loop = loop;
    this.clients = clients;
    this.schedule = schedule;
    this.timeoutNanos = timeoutNanos;
  }

  /** Arrivals have their full rate from the beginning, whatever the number of warm-up clients. */
  @Override
  public void warmUp(int warmUpClients) {
    startNanos = loop.nanoTime();
    nextNanos = schedule.nextNanos();
    clients.forEach(LoadClient::start);
    arrive();
  }

  @Override
  public void measure() {}

  @Override
  public void end() {
    arriveDue();
    close();
  }

  @Override
  public boolean isDone() {
    dropOverdue();
    return over && backlog.isEmpty();
  }

  @Override
  public void onFree(LoadClient client) {
    dropOverdue();
    DueRequest dueRequest = backlog.poll();
    if (dueRequest != null) {
      client.send(dueRequest.atNanos, dueRequest.measured);
    } else if (over) {
      client.stop();
    } else {
      free.add(client);
    }
  }

  @Override
  public void onLost(LoadClient client) {
    free.remove(client);
  }

  private void arrive() {
    arriveDue();
    if (!over) {
      var _ = loop.schedule(this::arrive, Math.max(0, startNanos + nextNanos - loop.nanoTime()));
    }
  }

  private void arriveDue() {
    long nowNanos = loop.nanoTime();
    while (!over && startNanos + nextNanos <= nowNanos) {
      long dueNanos = startNanos + nextNanos;
      loop.onLag(nowNanos - dueNanos);
      boolean measured = loop.isMeasuredAt(dueNanos);
      if (measured && !loop.takeTurn()) {
        close();
      } else {
        admit(new DueRequest(dueNanos, measured));
        nextNanos = schedule.nextNanos();
      }
    }
  }

  private void close() {
    over = true;
    free.forEach(LoadClient::stop);
    free.clear();
  }

  private void admit(DueRequest dueRequest) {
    LoadClient client = free.poll();
    if (client != null) {
      client.send(dueRequest.atNanos, dueRequest.measured);
    } else if (backlog.size() < MAX_BACKLOG) {
      backlog.add(dueRequest);
    } else {
      loop.tally().onError(new Problem("not sent", MAX_BACKLOG + " others were waiting"));
    }
  }

  private void dropOverdue() {
    long nowNanos = loop.nanoTime();
    for (DueRequest dueRequest = backlog.peek(); dueRequest != null; dueRequest = backlog.peek()) {
      if (nowNanos - dueRequest.atNanos < timeoutNanos) {
        return;
      }
      backlog.remove();
      String detail = "no client was free for " + timeoutNanos / 1_000_000 + " ms";
      loop.tally().onError(new Problem("not sent", detail));
    }
  }
}
