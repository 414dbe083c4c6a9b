package dev.pinion.workloads.load;

import java.util.List;

/** The closed model: a client thinks, sends, awaits its response, and thinks again. */
final class ThinkPacing implements Pacing {
  private final LoadLoop loop;
  private final List<LoadClient> clients;
  private boolean over;

  ThinkPacing(LoadLoop loop, List<LoadClient> clients) {
    this.loop = loop;
    this.clients = clients;
  }

  @Override
  public void warmUp(int warmUpClients) {
    clients.stream().limit(warmUpClients).forEach(LoadClient::start);
  }

  @Override
  public void measure() {
    clients.forEach(LoadClient::start);
  }

  @Override
  public void end() {
    over = true;
    clients.forEach(LoadClient::stop);
  }

  @Override
  public boolean isDone() {
    return over;
  }

  @Override
  public void onFree(LoadClient client) {
    if (over) {
      client.stop();
      return;
    }
    long thinkNanos = client.nextThinkNanos();
    long dueNanos = loop.nanoTime() + thinkNanos;
    if (thinkNanos == 0) {
      send(client, dueNanos);
    } else {
      client.pause(thinkNanos, () -> wake(client, dueNanos));
    }
  }

  @Override
  public void onLost(LoadClient client) {}

  private void wake(LoadClient client, long dueNanos) {
    loop.onLag(loop.nanoTime() - dueNanos);
    send(client, dueNanos);
  }

  private void send(LoadClient client, long dueNanos) {
    boolean measured = loop.isMeasuring();
    if (measured && (!client.takeIteration() || !loop.takeTurn())) {
      client.stop();
    } else {
      client.send(dueNanos, measured);
    }
  }
}
