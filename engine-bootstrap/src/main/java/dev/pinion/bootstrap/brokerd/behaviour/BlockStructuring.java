package dev.pinion.bootstrap.brokerd.behaviour;

import dev.pinion.broker.model.ProcessNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * Builds a tree of tasks between which flow directives jump.
 *
 * <pre>
 *   tasks and jumps ─▶ tasks that lead back to themselves become loops ─▶ no jump leads back
 *                  ─▶ tasks between a branching and the meeting of its branches become a choice
 *                  ─▶ or, where branches share tasks, each task with its expected number of visits
 * </pre>
 *
 * <p>Expected visits are exact under the probabilities of the jumps, with two exceptions: a jump
 * from outside into the middle of a loop counts as one to its first task, and a loop that is hardly
 * ever left is cut at {@link #MAX_ROUNDS}.
 */
final class BlockStructuring {
  /** The most rounds of a loop of jumps. */
  static final double MAX_ROUNDS = 100;

  private final List<ProcessFragment> steps;
  private final IntFunction<String> ids;

  private BlockStructuring(List<ProcessFragment> steps, IntFunction<String> ids) {
    this.steps = steps;
    this.ids = ids;
  }

  /**
   * The part that consists of all steps.
   *
   * @param steps each with its destinations: indices of other steps, which are 0 or more, or places
   *     outside, which are below 0
   * @param ids ids by step
   */
  static ProcessFragment of(List<ProcessFragment> steps, IntFunction<String> ids) {
    BitSet all = new BitSet();
    all.set(0, steps.size());
    return new BlockStructuring(steps, ids).region(all, 0, false);
  }

  /**
   * The part of some steps, which are entered at one of them.
   *
   * @param isRound whether they form a round of a loop, so that jumps to the entry lead out
   */
  private ProcessFragment region(BitSet members, int entry, boolean isRound) {
    List<BitSet> components = new Components(members, entry, isRound).inOrder();
    Map<Integer, Integer> unitOf = new HashMap<>();
    for (int unit = 0; unit < components.size(); unit++) {
      int own = unit;
      components.get(unit).stream().forEach(step -> unitOf.put(step, own));
    }
    if (isRound) {
      unitOf.remove(entry); // only the first round begins there
    }
    Map<Integer, Integer> entered = new TreeMap<>();
    List<Unit> units = new ArrayList<>();
    for (int unit = 0; unit < components.size(); unit++) {
      BitSet component = components.get(unit);
      int first = unit == 0 ? entry : entered.getOrDefault(unit, component.nextSetBit(0));
      boolean repeats = !(isRound && unit == 0) && repeats(component, first);
      ProcessFragment processFragment = repeats ? loop(component, first) : steps.get(first);
      Map<Integer, Double> inside = new TreeMap<>();
      Map<Integer, Double> outside = new LinkedHashMap<>();
      for (Map.Entry<Integer, Double> each : processFragment.to().entrySet()) {
        Integer target = unitOf.get(each.getKey());
        if (target == null) {
          ProcessFragment.add(outside, each.getKey(), each.getValue());
        } else {
          ProcessFragment.add(inside, target, each.getValue());
          entered.merge(target, each.getKey(), Math::min);
        }
      }
      String id = repeats ? again(first) : ids.apply(first);
      units.add(new Unit(id, processFragment.tree(), inside, outside));
    }
    return new Acyclic(units).part();
  }

  private boolean repeats(BitSet component, int first) {
    return component.cardinality() > 1 || steps.get(first).to().containsKey(first);
  }

  private String again(int first) {
    return ids.apply(first) + ".again";
  }

  private ProcessFragment loop(BitSet component, int first) {
    ProcessFragment round = region(component, first, true);
    double again = round.share(first);
    double leaves = 1 - again;
    double rounds = leaves * MAX_ROUNDS < 1 ? MAX_ROUNDS : 1 / leaves;
    Map<Integer, Double> to = new LinkedHashMap<>();
    round
        .to()
        .forEach(
            (place, probability) -> {
              if (place != first) {
                ProcessFragment.add(to, place, probability / leaves);
              }
            });
    return new ProcessFragment(ProcessTrees.times(again(first), round.tree(), rounds), to);
  }

  /**
   * Steps that lead to each other (strongly connected components), by Tarjan's algorithm; in order
   * of execution, otherwise in the order of the block.
   */
  private final class Components {
    private final BitSet members;
    private final int entry;
    private final boolean isRound;
    private final Map<Integer, Integer> numbers = new HashMap<>();
    private final Map<Integer, Integer> lowest = new HashMap<>();
    private final Deque<Integer> open = new ArrayDeque<>();
    private final Set<Integer> isOpen = new TreeSet<>();
    private final List<BitSet> found = new ArrayList<>();

    Components(BitSet members, int entry, boolean isRound) {
      this.members = members;
      this.entry = entry;
      this.isRound = isRound;
    }

    List<BitSet> inOrder() {
      visit(entry);
      return found.reversed();
    }

    private void visit(int step) {
      int number = numbers.size();
      numbers.put(step, number);
      lowest.put(step, number);
      open.push(step);
      isOpen.add(step);
      for (int next : new TreeSet<>(steps.get(step).to().keySet()).descendingSet()) {
        if (next < 0 || !members.get(next) || (isRound && next == entry)) {
          continue;
        }
        if (!numbers.containsKey(next)) {
          visit(next);
          lowest.merge(step, lowest.getOrDefault(next, number), Math::min);
        } else if (isOpen.contains(next)) {
          lowest.merge(step, numbers.getOrDefault(next, number), Math::min);
        }
      }
      if (lowest.getOrDefault(step, number) == number) {
        close(step);
      }
    }

    private void close(int first) {
      BitSet component = new BitSet();
      int step;
      do {
        step = open.pop();
        isOpen.remove(step);
        component.set(step);
      } while (step != first);
      found.add(component);
    }
  }

  /**
   * A step, or a loop of steps.
   *
   * @param inside probabilities by number of a later unit
   * @param outside probabilities by place outside
   */
  private record Unit(
      String id, ProcessNode tree, Map<Integer, Double> inside, Map<Integer, Double> outside) {}

  /** Units that lead to later ones only; the first one is entered. */
  private static final class Acyclic {
    private final List<Unit> units;

    /** Index that stands for all places outside. */
    private final int out;

    private final List<BitSet> behind = new ArrayList<>();

    Acyclic(List<Unit> units) {
      this.units = units;
      this.out = units.size();
      units.forEach(_ -> behind.add(new BitSet()));
      for (int unit = out - 1; unit >= 0; unit--) {
        behind.get(unit).or(meeting(unit));
        behind.get(unit).set(unit);
      }
    }

    /** Units that all paths from a unit pass, without the unit itself. */
    private BitSet meeting(int unit) {
      BitSet common = new BitSet();
      common.set(0, out + 1);
      for (int next : nexts(unit)) {
        if (next == out) {
          common.clear(0, out);
        } else {
          common.and(behind.get(next));
        }
      }
      return common;
    }

    private Set<Integer> nexts(int unit) {
      Set<Integer> nexts = new TreeSet<>(units.get(unit).inside().keySet());
      if (nexts.isEmpty() || !units.get(unit).outside().isEmpty()) {
        nexts.add(out);
      }
      return nexts;
    }

    ProcessFragment part() {
      Map<Integer, Double> to = new LinkedHashMap<>();
      double[] shares = shares(0);
      for (int unit = 0; unit < out; unit++) {
        double share = shares[unit];
        units
            .get(unit)
            .outside()
            .forEach((place, each) -> ProcessFragment.add(to, place, share * each));
      }
      return new ProcessFragment(ProcessTrees.sequence(walk(0, out)), to);
    }

    /** Expected entries of each unit for one entry of the first. */
    private double[] shares(int first) {
      double[] shares = new double[out];
      shares[first] = 1;
      for (int unit = first; unit < out; unit++) {
        double share = shares[unit];
        units.get(unit).inside().forEach((next, each) -> shares[next] += share * each);
      }
      return shares;
    }

    /** From a unit to another one that all its paths pass, or out. */
    private List<ProcessNode> walk(int first, int stop) {
      List<ProcessNode> items = new ArrayList<>();
      int unit = first;
      while (unit != stop) {
        items.add(units.get(unit).tree());
        int meet = meeting(unit).nextSetBit(unit + 1);
        if (nexts(unit).size() > 1) {
          items.addAll(between(unit, meet));
        }
        unit = meet;
      }
      return items;
    }

    private List<ProcessNode> between(int unit, int meet) {
      BitSet seen = new BitSet();
      boolean shared = false;
      for (int next : nexts(unit)) {
        if (next != meet) {
          BitSet own = reached(next, meet);
          shared |= own.intersects(seen);
          seen.or(own);
        }
      }
      return shared ? shared(unit, seen) : List.of(choice(unit, meet));
    }

    private BitSet reached(int first, int stop) {
      BitSet reached = new BitSet();
      reached.set(first);
      for (int unit = first; unit < stop; unit++) {
        if (reached.get(unit)) {
          units.get(unit).inside().keySet().forEach(reached::set);
        }
      }
      reached.clear(stop, out + 1);
      return reached;
    }

    private ProcessNode choice(int unit, int meet) {
      Unit from = units.get(unit);
      List<ProcessNode> children = new ArrayList<>();
      List<Double> probabilities = new ArrayList<>();
      double straight = from.outside().values().stream().mapToDouble(Double::doubleValue).sum();
      for (Map.Entry<Integer, Double> each : from.inside().entrySet()) {
        if (each.getKey() == meet) {
          straight += each.getValue();
        } else {
          children.add(ProcessTrees.sequence(walk(each.getKey(), meet)));
          probabilities.add(each.getValue());
        }
      }
      if (straight > 0) {
        children.add(ProcessTrees.NOTHING);
        probabilities.add(straight);
      }
      return ProcessTrees.choice(from.id() + ".then", children, probabilities);
    }

    /** Branches that share units are no choice: each unit counts by itself. */
    private List<ProcessNode> shared(int unit, BitSet between) {
      double[] shares = shares(unit);
      return between.stream()
          .mapToObj(
              each ->
                  ProcessTrees.times(
                      units.get(each).id() + ".share", units.get(each).tree(), shares[each]))
          .toList();
    }
  }
}
