package dev.pinion.bootstrap.serve;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * An open load of several classes: instances are started at times drawn in advance, independent of
 * response times, each on a separate connection.
 */
final class ClassedLoad implements AutoCloseable {
  private final ServedEngine engine;
  private final String path;
  private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Thread> sources = new ArrayList<>();
  private final Queue<Request> answered = new ConcurrentLinkedQueue<>();
  private volatile boolean ended;

  /**
   * A request with a response.
   *
   * @param serviceClass its class
   * @param nanos scheduled time of sending
   * @param seconds time from then to its response
   * @param success whether its instance completed
   */
  record Request(String serviceClass, long nanos, double seconds, boolean success) {}

  /**
   * Creates a load without requests.
   *
   * @param definition namespace and name of the definition, as {@code test/definitions/trip}
   */
  ClassedLoad(ServedEngine engine, String definition) {
    this.engine = engine;
    this.path = "/v1/namespaces/" + definition + "/instances";
  }

  /**
   * Starts to send the requests of a class.
   *
   * @param perSecond requests/s, with exponential intervals
   * @param body body of a start
   */
  void send(String serviceClass, double perSecond, long seed, Function<Random, String> body) {
    Random random = new Random(seed);
    sources.add(
        Thread.ofPlatform()
            .name("load-" + serviceClass)
            .start(
                () -> {
                  long next = System.nanoTime();
                  while (!ended) {
                    next += (long) (random.nextExponential() / perSecond * 1e9);
                    awaitTime(next);
                    long intended = next;
                    String document = body.apply(random);
                    requests.execute(() -> ask(serviceClass, intended, document));
                  }
                }));
  }

  private void awaitTime(long nanos) {
    long left = nanos - System.nanoTime();
    while (left > 0 && !ended) {
      LockSupport.parkNanos(left);
      left = nanos - System.nanoTime();
    }
  }

  private void ask(String serviceClass, long intended, String body) {
    boolean success = false;
    try {
      ServedEngine.Answer answer =
          ServedEngine.ask(
              "POST",
              engine.uri().resolve(path),
              body,
              "Content-Type",
              "application/json",
              "Prefer",
              "wait=30");
      success = answer.status() == 200 && answer.body().contains("\"COMPLETED\"");
    } catch (IOException e) {
      // It counts as failed.
    }
    double seconds = (System.nanoTime() - intended) / 1e9;
    answered.add(new Request(serviceClass, intended, seconds, success));
  }

  /** Answered requests so far. */
  List<Request> answered() {
    return List.copyOf(answered);
  }

  /** Stops sending, waits for responses, and returns all requests. */
  List<Request> end() {
    ended = true;
    sources.forEach(LockSupport::unpark);
    sources.forEach(ClassedLoad::join);
    requests.close();
    return answered();
  }

  @Override
  public void close() {
    end();
  }

  private static void join(Thread source) {
    try {
      source.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
