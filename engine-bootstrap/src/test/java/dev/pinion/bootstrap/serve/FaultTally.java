package dev.pinion.bootstrap.serve;

import dev.pinion.bootstrap.serve.CallLog.Call;
import dev.pinion.core.model.InstanceId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Counts instances under way at faults, from the records of clients and the log of services alone:
 * an instance was under way if it was acknowledged before the fault and its last call had no
 * response after it.
 */
final class FaultTally {
  private final List<Fault> faults;
  private int leastLive = Integer.MAX_VALUE;
  private int live;
  private int recovered;
  private int calling;

  /**
   * A fault of an engine.
   *
   * @param beganNanos time before it
   * @param overNanos time after it: processes had ended, or the signal that ends them at once was
   *     sent
   * @param slots slots whose replicas served until then and were ended by it
   * @param replicas number of slots
   */
  record Fault(long beganNanos, long overNanos, Set<Integer> slots, int replicas) {
    boolean ends(String instance) {
      int partition = InstanceId.parse(instance).orElseThrow().partition();
      return slots.contains(partition % replicas);
    }
  }

  /**
   * An acknowledged start.
   *
   * @param number number in its input and its key
   * @param id the instance
   * @param nanos time of the acknowledgement
   */
  record Acknowledged(int number, String id, long nanos) {}

  /** Counts instances. */
  FaultTally(List<Fault> faults, Collection<Acknowledged> starts, CallLog services) {
    this.faults = faults;
    Map<String, List<Call>> calls = new HashMap<>();
    for (Call call : services.calls()) {
      calls.computeIfAbsent(call.instance(), _ -> new ArrayList<>()).add(call);
    }
    for (Fault fault : faults) {
      int before = live;
      for (Acknowledged start : starts) {
        if (start.nanos() < fault.beganNanos()) {
          add(fault, start.id(), calls.getOrDefault(start.id(), List.of()), services);
        }
      }
      leastLive = Math.min(leastLive, live - before);
    }
  }

  private void add(Fault fault, String id, List<Call> calls, CallLog services) {
    boolean underWay = true;
    boolean inCall = false;
    for (Call call : calls) {
      boolean answered = services.answeredNanos(call) <= fault.overNanos();
      underWay &= !answered || !call.path().equals(CallLog.LAST);
      inCall |= !answered && call.nanos() < fault.beganNanos();
    }
    if (underWay) {
      live++;
      boolean ended = fault.ends(id);
      recovered += ended ? 1 : 0;
      calling += ended && inCall ? 1 : 0;
    }
  }

  /** Fewest instances under way at a fault. */
  int leastLive() {
    return leastLive;
  }

  /** Instances of ended replicas, once for each end. */
  int recovered() {
    return recovered;
  }

  /** Recovered instances with a call under way. */
  int calling() {
    return calling;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d faults with %d instances under way, at least %d at each; %d of them recovered, %d with"
            + " a call under way",
        faults.size(),
        live,
        leastLive,
        recovered,
        calling);
  }
}
