package dev.pinion.bootstrap.placement;

import dev.pinion.bootstrap.topology.CpuSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Shares threads out. All replicas together have as many event loops as the replicas of {@code
 * auto} have, and size their JVMs for as many CPUs, whatever their number: what differs between
 * numbers of replicas is then how they lie, not how many threads there are.
 *
 * <p>A replica begins with a loop for each CPU beside its ancillary core, and takes or gives one
 * after the other. One that takes more than it began with runs a loop on its ancillary core too.
 */
final class ThreadShares {
  private final AncillaryCores ancillary;
  private final @Nullable Double quota;
  private final boolean spinning;

  /**
   * Shares.
   *
   * @param ancillary which cores of a replica host no event loop
   * @param quota CPUs' worth of time granted to all replicas, or null for that of all CPUs
   * @param spinning whether event loops spin, so that none may share its CPU
   */
  ThreadShares(AncillaryCores ancillary, @Nullable Double quota, boolean spinning) {
    this.ancillary = ancillary;
    this.quota = quota;
    this.spinning = spinning;
  }

  /** Event loops of replicas on some sets of CPUs, when each has what it has CPUs for. */
  int loops(List<CpuSet> groups) {
    return granted(groups.stream().mapToInt(this::ownLoops).sum());
  }

  /**
   * Event loops of each replica.
   *
   * @param total what they have together; at least one each, and no more than CPUs or, where they
   *     spin, than CPUs beside the ancillary core
   */
  List<Integer> loops(List<CpuSet> groups, int total) {
    List<Integer> own = groups.stream().map(this::ownLoops).toList();
    List<Integer> most =
        groups.stream().map(cpus -> Math.min(Layout.MAX_LOOPS, cpus.size())).toList();
    return near(own, spinning ? own : most, total);
  }

  private int ownLoops(CpuSet cpus) {
    return Math.min(Layout.MAX_LOOPS, ancillary.free(cpus).size());
  }

  /** CPUs' worth of time that the JVM of each replica sizes itself for. */
  List<Integer> processors(List<CpuSet> groups) {
    List<Integer> sizes = groups.stream().map(CpuSet::size).toList();
    return near(sizes, sizes, granted(sizes.stream().mapToInt(size -> size).sum()));
  }

  private int granted(int cpus) {
    return quota == null ? cpus : Math.clamp(Math.round(quota), 1, cpus);
  }

  /**
   * Deals a total out as near to what each begins with as can be: one less for who has most, of
   * equals the last, while it is too much; one more for who has most room, of equals the first,
   * while it is too little and somebody has room. Nobody goes below one.
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

  /** Who has most; of equals the last. */
  private static int last(int[] shares) {
    int found = 0;
    for (int i = 1; i < shares.length; i++) {
      found = shares[i] >= shares[found] ? i : found;
    }
    return found;
  }

  /** Who has most room; of equals the first. */
  private static int roomiest(int[] shares, List<Integer> most) {
    int found = 0;
    for (int i = 1; i < shares.length; i++) {
      found = most.get(i) - shares[i] > most.get(found) - shares[found] ? i : found;
    }
    return found;
  }
}
