package dev.pinion.handlers.run;

import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.plan.ChainOptions;
import dev.pinion.handlers.plan.ChainPlan;
import dev.pinion.handlers.plan.ChainStage;
import dev.pinion.handlers.plan.Step;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A chain drawn from a seed. The same seed gives the same chain with fresh handlers, whose effects
 * go into a separate ledger.
 */
final class RandomChain {
  private static final List<String> READ =
      List.of(
          "property:a", "property:header.*", "body:", "body:/x", "body:/x/y", "body:/z", "bytes");
  private static final List<String> WRITTEN =
      List.of("property:a", "property:header.h", "property:b", "body:/x/y", "body:/x/w", "body:/z");
  private static final List<String> WRITTEN_SELDOM = List.of("bytes", "body:/x", "body:");

  private static final Duration SHORT = Duration.ofMillis(1);

  private final Random random;
  private final Hanging hanging;
  private final List<ScriptedHandler> handlers = new ArrayList<>();
  final Map<String, String> ledger = new ConcurrentSkipListMap<>();
  final List<Step> steps = new ArrayList<>();

  /** The action of a call that is to exceed its time-out. */
  interface Hanging {
    Verdict hang(Declaration declared) throws Exception;
  }

  /** A chain without hanging handlers. */
  RandomChain(long seed) {
    this(seed, false, declared -> Verdict.UNCHANGED);
  }

  /** A chain of which one handler may hang: only one, so that only its time passes. */
  RandomChain(long seed, Hanging hanging) {
    this(seed, true, hanging);
  }

  private RandomChain(long seed, boolean mayHang, Hanging hanging) {
    this.random = new Random(seed);
    this.hanging = hanging;
    int count = 1 + random.nextInt(7);
    int drawn = random.nextInt(2 * count);
    int hangs = mayHang ? drawn : 2 * count;
    boolean prepares = random.nextBoolean();
    for (int i = 0; i < count; i++) {
      if (random.nextInt(6) == 0) {
        transaction("t" + i, "c" + i, i == hangs && prepares);
      } else {
        steps.add(step("h" + i, i == count - 1, i == hangs));
      }
    }
    // The partner comes somewhere later.
    for (Step each : List.copyOf(steps)) {
      if (each.partner() != null) {
        int own = steps.indexOf(each);
        int last = steps.getLast().declaration().effect() == EffectClass.NON_ATOMIC ? 1 : 0;
        int room = Math.max(1, steps.size() - last - own);
        steps.add(
            own + 1 + random.nextInt(room),
            commit(each.partner(), !prepares && each.name().equals("t" + hangs)));
      }
    }
  }

  /** Waits until all has ended, also oneway handlers and hanging ones: handlers are closed. */
  void awaitClosed() {
    while (handlers.stream().anyMatch(each -> each.closed.get() == 0)) {
      Thread.onSpinWait(); // bounded by the time of the test
    }
  }

  /** Stages cut at random places; or one for each step, where that gives no valid chain. */
  ChainPlan byHand(ChainOptions chainOptions) {
    List<ChainStage> stages = new ArrayList<>();
    List<Step> open = new ArrayList<>();
    for (Step step : steps) {
      open.add(step);
      if (!ChainPlan.problems(List.of(new ChainStage(open))).stream()
          .filter(problem -> problem.contains("depend on each other"))
          .toList()
          .isEmpty()) {
        open.removeLast();
        stages.add(new ChainStage(open));
        open = new ArrayList<>(List.of(step));
      } else if (random.nextInt(3) == 0) {
        stages.add(new ChainStage(open));
        open = new ArrayList<>();
      }
    }
    if (!open.isEmpty()) {
      stages.add(new ChainStage(open));
    }
    return new ChainPlan("random", stages, chainOptions);
  }

  private ScriptedHandler noted(ScriptedHandler handler) {
    handlers.add(handler);
    return handler;
  }

  /** An effect that is noticed when it happens twice. */
  private void effect(String name) {
    ledger.merge(name, "made", (before, more) -> before + " and " + more);
  }

  private Step step(String name, boolean last, boolean hangs) {
    List<Slot> reads = some(READ, 2);
    List<Slot> writes = new ArrayList<>(some(WRITTEN, 2));
    if (random.nextInt(5) == 0) {
      writes = List.of(Slot.parse(WRITTEN_SELDOM.get(random.nextInt(WRITTEN_SELDOM.size()))));
    }
    EffectClass effect =
        switch (random.nextInt(last ? 9 : 8)) {
          case 0, 1 -> EffectClass.ATOMIC;
          case 2, 3 -> EffectClass.QUASI_ATOMIC;
          case 8 -> EffectClass.NON_ATOMIC;
          default -> EffectClass.STATELESS;
        };
    Declaration declared =
        Declaration.NOTHING
            .withSlots(reads, writes)
            .with(effect)
            .withMustPerform(random.nextInt(3) == 0)
            .retried(random.nextInt(3));
    boolean stops = random.nextInt(5) == 0;
    boolean oneway = random.nextInt(5) == 0;
    if (oneway) {
      declared = declared.withSlots(reads, List.of()).withMustPerform(false).withOneway(true);
    } else if (stops) {
      declared = declared.stopping();
    }
    declared = hangs ? declared.within(SHORT) : declared;
    int drawn = random.nextInt(9);
    int failing = hangs ? 1 + drawn % 3 : Math.max(0, drawn - 5);
    int undoFailing = random.nextInt(8) == 0 ? 1 + random.nextInt(2) : 0;
    // The verdict of a oneway handler is not used, and a handler in a host always has one.
    int fault = random.nextInt(oneway ? 4 : 6);
    int spin = random.nextInt(2_000);
    Declaration own = declared;
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger undos = new AtomicInteger();
    return noted(
            ScriptedHandler.of(
                own,
                view -> {
                  spin(spin);
                  boolean quasi = own.effect() == EffectClass.QUASI_ATOMIC;
                  if (quasi) {
                    ledger.put(name, "made");
                  }
                  boolean fails = calls.incrementAndGet() <= failing;
                  if (fails && !hangs) {
                    return fault(fault, own);
                  }
                  Verdict verdict = fails ? Verdict.UNCHANGED : verdict(name, view, own);
                  if (!quasi && own.effect() != EffectClass.STATELESS) {
                    effect(name);
                  }
                  return fails ? hanging.hang(own) : verdict;
                }))
        .undoing(
            view -> {
              if (undos.incrementAndGet() <= undoFailing) {
                throw new IllegalStateException("not undone");
              }
              ledger.remove(name);
            })
        .as(name);
  }

  private void transaction(String name, String partner, boolean hangs) {
    int failing = random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0;
    AtomicInteger calls = new AtomicInteger();
    Declaration own =
        Declaration.NOTHING.with(EffectClass.TRANSACTIONAL).mandatory().retried(random.nextInt(2));
    Declaration declared = hangs ? own.within(SHORT) : own;
    steps.add(
        noted(
                ScriptedHandler.of(
                    declared,
                    view -> {
                      ledger.put(name, "prepared");
                      if (hangs) {
                        return hanging.hang(declared);
                      }
                      if (calls.incrementAndGet() <= failing) {
                        throw new IllegalStateException("half prepared");
                      }
                      return Verdict.UNCHANGED;
                    }))
            .as(name)
            .committedBy(partner));
  }

  private Step commit(String partner, boolean hangs) {
    String prepared = "t" + partner.substring(1);
    int failing = random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0;
    AtomicInteger calls = new AtomicInteger();
    Declaration own =
        Declaration.NOTHING.with(EffectClass.ATOMIC).mandatory().retried(random.nextInt(2));
    Declaration declared = hangs ? own.within(SHORT) : own;
    return noted(
            ScriptedHandler.of(
                declared,
                view -> {
                  if (calls.incrementAndGet() <= failing) {
                    throw new IllegalStateException("not committed");
                  }
                  ledger.put(prepared, "committed");
                  return hangs ? hanging.hang(declared) : Verdict.UNCHANGED;
                }))
        .rollingBack(view -> ledger.remove(prepared))
        .as(partner);
  }

  private static Verdict fault(int fault, Declaration declared) throws Exception {
    return switch (fault) {
      case 0 -> throw new IllegalStateException("injected");
      case 1 -> throw new StackOverflowError("injected");
      case 2 -> throw new IOException("injected");
      case 3 -> Verdict.goOn(Changes.NONE.property("not.declared", "x"));
      case 4 -> nothing();
      default -> throw new AssertionError("injected " + declared.retries());
    };
  }

  @SuppressWarnings("NullAway") // what handlers must not do
  private static Verdict nothing() {
    return null;
  }

  /** The handler's input decides its output, and whether it stops the message. */
  private static Verdict verdict(String name, View view, Declaration declared) throws Exception {
    int seen = name.hashCode();
    for (Slot slot : declared.reads()) {
      seen = 31 * seen + read(view, slot).hashCode();
    }
    if (declared.stops() && Math.floorMod(seen, 3) == 0) {
      return seen % 2 == 0
          ? Verdict.refuse("urn:x", "refused", 403, name + seen)
          : Verdict.Answer.of(200, Map.of("x", name), Body.of(Payload.of(seen)));
    }
    Changes changes = Changes.NONE;
    for (Slot slot : declared.writes()) {
      changes = write(changes, slot, name + seen);
    }
    return Verdict.goOn(changes);
  }

  private static Object read(View view, Slot slot) throws Exception {
    return switch (slot) {
      case Slot.Property property when property.prefix() -> view.properties(property.name());
      case Slot.Property property -> view.property(property.name(), "");
      case Slot.Bytes _ -> new String(view.bytes(), StandardCharsets.UTF_8);
      case Slot.Json json -> String.valueOf(view.json(json.pointer()));
    };
  }

  private static Changes write(Changes changes, Slot slot, String value) {
    return switch (slot) {
      case Slot.Property property -> changes.property(property.name(), value);
      case Slot.Bytes _ ->
          changes.body(
              Body.of(
                  ("{\"x\":{\"y\":\"" + value + "\"}}").getBytes(StandardCharsets.UTF_8),
                  "application/json"));
      case Slot.Json json when json.path().isEmpty() ->
          changes.json("", Payload.object(Map.of("z", Payload.of(value))));
      case Slot.Json json when json.pointer().equals("/x") ->
          changes.json("/x", Payload.object(Map.of("y", Payload.of(value))));
      case Slot.Json json -> changes.json(json.pointer(), Payload.of(value));
    };
  }

  private List<Slot> some(List<String> from, int most) {
    int count = random.nextInt(most + 1);
    return random
        .ints(0, from.size())
        .distinct()
        .limit(count)
        .mapToObj(i -> Slot.parse(from.get(i)))
        .toList();
  }

  private static void spin(int turns) {
    for (int i = 0; i < turns; i++) {
      Thread.onSpinWait();
    }
  }
}
