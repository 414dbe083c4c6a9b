package dev.pinion.core.kernel.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.kernel.Tasks;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimerWheelTest {
  private static final long TICK = 1L << 20;
  private static final long YEAR = TimeUnit.DAYS.toNanos(366);
  private static final Activity ANY = anyActivity();

  private static Activity anyActivity() {
    ProcessGraph graph = Tasks.graph(Tasks.nothing("any"));
    Instance instance =
        new Instance(new InstanceId(1), graph, Payload.NULL, 0, Durability.NONE, Tags.NONE);
    Branch main = new Branch(null, 0, Payload.NULL, Payload.NULL);
    return new Activity(instance, graph.body().tasks().get(0), null, main, null, 0, Payload.NULL);
  }

  private static TimerWheel.Timer timer(int number) {
    return new TimerWheel.Timer(ANY, 0, number);
  }

  @Test
  void shouldHaveNoDeadlineWhenEmpty() {
    TimerWheel wheel = new TimerWheel(123);

    assertEquals(TimerWheel.NONE, wheel.nextDeadlineNanos());
    assertNull(wheel.pollDue(Long.MAX_VALUE / 2));
  }

  @Test
  void shouldFireNeitherEarlyNorMoreThanATickLate() {
    TimerWheel wheel = new TimerWheel(-77);
    TimerWheel.Timer timer = timer(1);
    wheel.start(timer, 1_000_000_000);

    assertNull(wheel.pollDue(999_999_999));
    assertEquals(timer, wheel.pollDue(1_000_000_000 + TICK));
    assertEquals(0, wheel.size());
  }

  @Test
  void shouldFireAtOnceWhatIsOverdue() {
    TimerWheel wheel = new TimerWheel(0);
    wheel.pollDue(50 * TICK);
    TimerWheel.Timer timer = timer(1);
    wheel.start(timer, 3);

    assertTrue(wheel.nextDeadlineNanos() <= 50 * TICK);
    assertEquals(timer, wheel.pollDue(50 * TICK));
  }

  /** Field fault 8: after a downtime timers fire in the order in which they were due. */
  @Test
  void shouldFireWhatIsOverdueInTheOrderOfDeadlines() {
    TimerWheel wheel = new TimerWheel(100 * TICK);
    TimerWheel.Timer delay = new TimerWheel.Timer(ANY, Activity.DELAY, 1);
    TimerWheel.Timer timeout = new TimerWheel.Timer(ANY, Activity.TASK_TIMEOUT, 2);
    TimerWheel.Timer tied = new TimerWheel.Timer(ANY, Activity.DELAY, 3);
    TimerWheel.Timer soon = timer(4);
    TimerWheel.Timer gone = timer(5);
    wheel.start(delay, 8);
    wheel.start(tied, 3);
    wheel.start(soon, 102 * TICK);
    wheel.start(timeout, 3);
    wheel.start(gone, 1);
    wheel.cancel(gone);

    assertEquals(4, wheel.size());
    assertEquals(timeout, wheel.pollDue(200 * TICK));
    assertEquals(tied, wheel.pollDue(200 * TICK));
    assertEquals(delay, wheel.pollDue(200 * TICK));
    assertEquals(soon, wheel.pollDue(200 * TICK));
    assertNull(wheel.pollDue(200 * TICK));
  }

  /** Field fault 8. */
  @Test
  void shouldKeepTheOrderWithinATick() {
    TimerWheel wheel = new TimerWheel(0);
    TimerWheel.Timer second = timer(1);
    TimerWheel.Timer first = timer(2);
    wheel.start(second, 5 * TICK - 1);
    wheel.start(first, 5 * TICK - 2);

    assertEquals(first, wheel.pollDue(5 * TICK));
    assertEquals(second, wheel.pollDue(5 * TICK));
  }

  @Test
  void shouldForgetATimerThatIsCancelled() {
    TimerWheel wheel = new TimerWheel(0);
    TimerWheel.Timer kept = timer(1);
    TimerWheel.Timer cancelled = timer(2);
    wheel.start(kept, 5 * TICK);
    wheel.start(cancelled, 5 * TICK);
    wheel.cancel(cancelled);
    wheel.cancel(cancelled);

    assertEquals(1, wheel.size());
    assertEquals(kept, wheel.pollDue(10 * TICK));
    assertNull(wheel.pollDue(10 * TICK));
    wheel.cancel(kept);
    assertEquals(0, wheel.size());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 10, 50, 99})
  void shouldLastForYears(int years) {
    TimerWheel wheel = new TimerWheel(5);
    TimerWheel.Timer timer = timer(1);
    long deadline = 5 + years * YEAR;
    wheel.start(timer, deadline);

    // turned only at its deadline, as an event loop does
    int turns = 0;
    long now = 5;
    TimerWheel.Timer due = wheel.pollDue(now);
    while (due == null) {
      now = wheel.nextDeadlineNanos();
      assertTrue(now <= deadline + TICK, "turned at " + now);
      due = wheel.pollDue(now);
      turns++;
    }

    assertTrue(now >= deadline, "fired early");
    assertTrue(turns <= 8, "turns: " + turns);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldAgreeWithASortedReference(long seed) {
    compareWithReference(seed, 20_000);
  }

  @Test
  @Tag("long")
  void shouldAgreeWithASortedReferenceForLong() {
    for (long seed = 100; seed < 200; seed++) {
      compareWithReference(seed, 100_000);
    }
  }

  /** Reference: timers by deadline, then in the order of their start. */
  private static final class Reference {
    final NavigableMap<Long, List<TimerWheel.Timer>> byDeadline = new TreeMap<>();
    final Map<TimerWheel.Timer, Long> deadlines = new HashMap<>();
    final List<TimerWheel.Timer> all = new ArrayList<>();

    void add(TimerWheel.Timer timer, long deadline) {
      byDeadline.computeIfAbsent(deadline, key -> new ArrayList<>()).add(timer);
      deadlines.put(timer, deadline);
      all.add(timer);
    }

    long remove(TimerWheel.Timer timer) {
      long deadline = Objects.requireNonNull(deadlines.remove(timer));
      List<TimerWheel.Timer> same = Objects.requireNonNull(byDeadline.get(deadline));
      same.remove(timer);
      if (same.isEmpty()) {
        byDeadline.remove(deadline);
      }
      return deadline;
    }
  }

  private static void compareWithReference(long seed, int operations) {
    Random random = new Random(seed);
    long now = random.nextLong(-YEAR, YEAR);
    TimerWheel wheel = new TimerWheel(now);
    Reference reference = new Reference();
    for (int i = 0; i < operations; i++) {
      int what = random.nextInt(10);
      if (what < 5) {
        TimerWheel.Timer timer = timer(i);
        long deadline = now + delay(random);
        wheel.start(timer, deadline);
        reference.add(timer, Math.max(deadline, now));
      } else if (what < 7 && !reference.all.isEmpty()) {
        TimerWheel.Timer victim = reference.all.get(random.nextInt(reference.all.size()));
        wheel.cancel(victim);
        if (reference.deadlines.containsKey(victim)) {
          reference.remove(victim);
        }
      } else {
        now = later(random, now, wheel);
        fire(wheel, reference, now, "seed " + seed + " operation " + i);
      }
      assertEquals(reference.deadlines.size(), wheel.size(), "seed " + seed + " operation " + i);
      if (!reference.byDeadline.isEmpty()) {
        long next = reference.byDeadline.firstKey();
        assertTrue(
            wheel.nextDeadlineNanos() <= next + TICK,
            "seed " + seed + " operation " + i + ": would be turned too late");
      }
    }
  }

  private static long delay(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> -random.nextLong(1_000_000_000);
      case 1 -> random.nextLong(10 * TICK);
      case 2 -> random.nextLong(100) * TICK;
      case 3 -> random.nextLong(TimeUnit.SECONDS.toNanos(100));
      case 4 -> random.nextLong(TimeUnit.DAYS.toNanos(3));
      default -> random.nextLong(20 * YEAR);
    };
  }

  private static long later(Random random, long now, TimerWheel wheel) {
    return switch (random.nextInt(4)) {
      case 0 -> now + random.nextLong(TICK);
      case 1 -> now + random.nextLong(TimeUnit.SECONDS.toNanos(10));
      case 2 -> now + random.nextLong(TimeUnit.DAYS.toNanos(1));
      default -> wheel.size() == 0 ? now : Math.max(now, wheel.nextDeadlineNanos());
    };
  }

  private static void fire(TimerWheel wheel, Reference reference, long now, String where) {
    for (TimerWheel.Timer due = wheel.pollDue(now); due != null; due = wheel.pollDue(now)) {
      assertTrue(reference.deadlines.containsKey(due), where + ": fired twice or after cancel");
      assertTrue(reference.remove(due) <= now, where + ": fired early");
    }
    if (!reference.byDeadline.isEmpty()) {
      assertTrue(reference.byDeadline.firstKey() > now - TICK, where + ": fired too late");
    }
  }

  @Test
  @Tag("long")
  void shouldHoldAMillionTimers() {
    int count = 1_000_000;
    Random random = new Random(42);
    TimerWheel wheel = new TimerWheel(0);
    List<TimerWheel.Timer> timers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      TimerWheel.Timer timer = timer(i);
      timers.add(timer);
      wheel.start(timer, random.nextLong(YEAR));
    }
    for (int i = 0; i < count; i += 2) {
      wheel.cancel(timers.get(i));
    }
    assertEquals(count / 2, wheel.size());

    int fired = 0;
    long now = 0;
    while (wheel.size() > 0) {
      now = Math.max(now, wheel.nextDeadlineNanos());
      while (wheel.pollDue(now) != null) {
        fired++;
      }
    }

    assertEquals(count / 2, fired);
    assertTrue(now <= YEAR + TICK);
  }
}
