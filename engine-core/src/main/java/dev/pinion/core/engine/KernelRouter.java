package dev.pinion.core.engine;

import dev.pinion.core.api.port.KernelDispatcher;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.message.Query;
import dev.pinion.core.partition.PartitionTable;
import dev.pinion.core.stage.Lane;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the kernel concerned for one Request Handler.
 *
 * <p>New instances go to partitions of the handler's home kernel where it has one (fused: the
 * kernel on its own loop), else to the kernels in turn. Used by the handler's thread only.
 */
final class KernelRouter implements KernelDispatcher {
  private final PartitionTable partitionTable;
  private final List<Lane<KernelMessage>> requests;
  private final int[] lastPartition;
  private final boolean home;
  private int nextKernel;

  private KernelRouter(
      PartitionTable partitionTable, List<Lane<KernelMessage>> requests, int first, boolean home) {
    this.partitionTable = partitionTable;
    this.requests = requests;
    this.lastPartition = new int[requests.size()];
    Arrays.fill(lastPartition, -1);
    this.nextKernel = first;
    this.home = home;
  }

  /** A router that keeps new instances on one kernel. */
  static KernelRouter toHome(
      PartitionTable partitionTable, List<Lane<KernelMessage>> requests, int kernel) {
    return new KernelRouter(partitionTable, requests, kernel, true);
  }

  /** A router that assigns new instances to the kernels in turn, beginning with one. */
  static KernelRouter inTurn(
      PartitionTable partitionTable, List<Lane<KernelMessage>> requests, int first) {
    return new KernelRouter(partitionTable, requests, first % requests.size(), false);
  }

  @Override
  public boolean offer(Command command) {
    return lane(command.partition()).offer(command);
  }

  @Override
  public boolean offer(Query.InstanceQuery query) {
    return lane(query.id().partition()).offer(query);
  }

  @Override
  public boolean offer(Query.GetSchedule query) {
    return lane(query.name().partition()).offer(query);
  }

  private Lane<KernelMessage> lane(int partition) {
    return requests.get(partitionTable.owner(partition));
  }

  @Override
  public boolean offerToAll(Query.ListQuery question) {
    boolean all = true;
    for (Lane<KernelMessage> lane : requests) {
      all &= lane.offer(question);
    }
    return all;
  }

  @Override
  public int kernels() {
    return requests.size();
  }

  @Override
  public int startPartition() {
    int kernel = nextKernel;
    if (!home) {
      nextKernel = (kernel + 1) % requests.size();
    }
    int partition = partitionTable.nextPartition(kernel, lastPartition[kernel]);
    lastPartition[kernel] = partition;
    return partition;
  }
}
