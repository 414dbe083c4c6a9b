package dev.pinion.benchmarks.experiments.sosoa;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Closed clients that start instances on replicas in turn. An instance is {@value #STEPS} steps
 * with calls between them; a replica is one queue with a server for each of its CPUs. A step takes
 * an exponential time of mean 1, times a factor when the previous step ran under a different cache.
 *
 * <pre>
 *   clients ──in turn──▶ replica: queue ▶ CPUs ──step──▶ call ──▶ queue ▶ … ──last step──▶ client
 * </pre>
 */
public final class QueueingNetwork {
  /** Steps of an instance with six calls: one before and one after each. */
  public static final int STEPS = 12;

  /** Mean time of a call, in steps. */
  static final double CALL = 20;

  private final List<Replica> replicas = new ArrayList<>();
  private final double factor;
  private final SplittableRandom random;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private double now;
  private long started;
  private long ended;
  private long steps;
  private long moved;
  private double busy;

  /**
   * Result of a simulation, without its first tenth.
   *
   * @param throughput instances per 1,000 mean times of a step
   * @param stepTime mean time that an instance kept CPUs busy, in steps
   * @param moved share of the steps that ran under a different cache than the previous step
   */
  public record Outcome(double throughput, double stepTime, double moved) {}

  /** An instance. */
  private static final class Instance {
    private final Replica replica;
    private int step;
    private int cache = -1;

    Instance(Replica replica) {
      this.replica = replica;
    }
  }

  /** CPUs, named by their cache, and the steps that wait for them. */
  private static final class Replica {
    private final Deque<Integer> idle = new ArrayDeque<>();
    private final Deque<Instance> waiting = new ArrayDeque<>();
  }

  /** A step ends on a CPU of a cache, or, below 0, a call is answered. */
  private record Event(double at, Instance instance, int cache) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return Double.compare(at, other.at);
    }
  }

  /**
   * An empty network.
   *
   * @param cachesByReplica for each replica, the number of the cache of each of its CPUs
   * @param factor factor on the time of a step after one under a different cache; at least 1
   * @param seed seed of the times
   */
  public QueueingNetwork(List<List<Integer>> cachesByReplica, double factor, long seed) {
    if (cachesByReplica.isEmpty() || cachesByReplica.stream().anyMatch(List::isEmpty)) {
      throw new IllegalArgumentException("expected replicas with CPUs, found " + cachesByReplica);
    }
    if (!(factor >= 1)) {
      throw new IllegalArgumentException("expected a factor of at least 1, found " + factor);
    }
    for (List<Integer> caches : cachesByReplica) {
      Replica replica = new Replica();
      replica.idle.addAll(caches);
      replicas.add(replica);
    }
    this.factor = factor;
    this.random = new SplittableRandom(seed);
  }

  /**
   * Runs until a number of instances have ended.
   *
   * @param clients instances under way, above 0
   * @param instances total instances, at least 10
   */
  public Outcome run(int clients, long instances) {
    for (int i = 0; i < clients; i++) {
      start();
    }
    long warmUp = instances / 10;
    double from = 0;
    while (ended < instances) {
      Event event = events.remove();
      now = event.at;
      long before = ended;
      handle(event);
      if (before < warmUp && ended >= warmUp) {
        from = now;
        steps = 0;
        moved = 0;
        busy = 0;
      }
    }
    long counted = ended - warmUp;
    return new Outcome(
        1_000 * counted / (now - from), busy / counted, steps == 0 ? 0 : (double) moved / steps);
  }

  private void handle(Event event) {
    Instance instance = event.instance;
    if (event.cache < 0) {
      enter(instance);
      return;
    }
    instance.cache = event.cache;
    instance.step++;
    release(instance.replica, event.cache);
    if (instance.step == STEPS) {
      ended++;
      start();
    } else if (instance.step % 2 == 1) {
      events.add(new Event(now + CALL * random.nextExponential(), instance, -1));
    } else {
      enter(instance);
    }
  }

  private void start() {
    enter(new Instance(replicas.get((int) (started++ % replicas.size()))));
  }

  private void enter(Instance instance) {
    Integer cache = instance.replica.idle.poll();
    if (cache == null) {
      instance.replica.waiting.add(instance);
    } else {
      serve(instance, cache);
    }
  }

  private void release(Replica replica, int cache) {
    Instance next = replica.waiting.poll();
    if (next == null) {
      replica.idle.add(cache);
    } else {
      serve(next, cache);
    }
  }

  private void serve(Instance instance, int cache) {
    boolean moves = instance.cache >= 0 && instance.cache != cache;
    double time = random.nextExponential() * (moves ? factor : 1);
    steps++;
    moved += moves ? 1 : 0;
    busy += time;
    events.add(new Event(now + time, instance, cache));
  }
}
