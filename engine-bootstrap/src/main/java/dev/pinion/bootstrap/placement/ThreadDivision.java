package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import dev.pinion.core.settings.StageLayout;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Divides threads. All replicas together have as many event loops as the replicas of {@code auto},
 * and size their JVMs for as many CPUs, whatever their number: numbers of replicas then differ in
 * placement, not in the number of threads.
 *
 * <p>A replica begins with a loop for each CPU outside its ancillary core, and takes or gives one
 * at a time. A replica that takes more than its initial number runs a loop on its ancillary core
 * too.
 */
final class ThreadDivision {
  private final AncillaryCores ancillary;
  private final @Nullable Double quota;
  private final boolean spinning;

  /**
   * Creates shares.
   *
   * @param ancillary choice of the cores without event loops
   * @param quota CPU time granted to all replicas, in CPUs, or null for that of all CPUs
   * @param spinning whether event loops spin, so that none may share its CPU
   */
  ThreadDivision(AncillaryCores ancillary, @Nullable Double quota, boolean spinning) {
    this.ancillary = ancillary;
    this.quota = quota;
    this.spinning = spinning;
  }

  /** Total event loops of replicas on some sets of CPUs, each with its initial number. */
  int loops(List<CpuSet> groups) {
    return granted(groups.stream().mapToInt(this::ownLoops).sum());
  }

  /**
   * Event loops of each replica.
   *
   * @param total total of all replicas; at least one each, and no more than CPUs or, where loops
   *     spin, than CPUs outside the ancillary core
   */
  List<Integer> loops(List<CpuSet> groups, int total) {
    List<Integer> own = groups.stream().map(this::ownLoops).toList();
    List<Integer> most =
        groups.stream().map(cpus -> Math.min(StageLayout.MAX_LOOPS, cpus.size())).toList();
    return near(own, spinning ? own : most, total);
  }

  private int ownLoops(CpuSet cpus) {
    return Math.min(StageLayout.MAX_LOOPS, ancillary.free(cpus).size());
  }

  /** Number of CPUs for which the JVM of each replica sizes itself. */
  List<Integer> processors(List<CpuSet> groups) {
    List<Integer> sizes = groups.stream().map(CpuSet::size).toList();
    return near(sizes, sizes, granted(sizes.stream().mapToInt(size -> size).sum()));
  }

  private int granted(int cpus) {
    return quota == null ? cpus : Math.clamp(Math.round(quota), 1, cpus);
  }

  /**
   * Divides a total as close to the initial shares as possible: takes one from the largest share
   * (the last of equals) while the sum is too large; adds one where there is most capacity (the
   * first of equals) while the sum is too small and there is capacity. No share goes below one.
   */
  static List<Integer> near(List<Integer> begin, List<Integer> most, int total) {
    int[] shares = begin.stream().mapToInt(each -> each).toArray();
    int sum = IntStream.of(shares).sum();
    for (int from = last(shares); sum > total && shares[from] > 1; from = last(shares)) {
      shares[from]--;
      sum--;
    }
    for (int to = roomiest(shares, most);
        sum < total && shares[to] < most.get(to);
        to = roomiest(shares, most)) {
      shares[to]++;
      sum++;
    }
    return IntStream.of(shares).boxed().toList();
  }

  /** Index of the largest share; the last of equals. */
  private static int last(int[] shares) {
    int found = 0;
    for (int i = 1; i < shares.length; i++) {
      found = shares[i] >= shares[found] ? i : found;
    }
    return found;
  }

  /** Index of the share with most capacity; the first of equals. */
  private static int roomiest(int[] shares, List<Integer> most) {
    int found = 0;
    for (int i = 1; i < shares.length; i++) {
      found = most.get(i) - shares[i] > most.get(found) - shares[found] ? i : found;
    }
    return found;
  }
}
