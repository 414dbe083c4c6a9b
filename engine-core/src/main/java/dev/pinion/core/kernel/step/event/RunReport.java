package dev.pinion.core.kernel.step.event;

import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import java.util.LinkedHashMap;
import java.util.Map;

/** What an instance that keeps a schedule is told about a run: little, whatever the run yields. */
public final class RunReport {
  /** Id of the run. */
  public static final String ID = "id";

  /** When the run began, in milliseconds since the epoch. */
  public static final String STARTED = "started";

  /** State in which the run has ended. */
  public static final String STATE = "state";

  private RunReport() {}

  /** A run has begun, and nobody waits for its end. */
  public static Payload begun(InstanceView run) {
    return Payload.object(members(run));
  }

  /** A run has ended. */
  public static Payload ended(InstanceView run) {
    Map<String, Payload> members = members(run);
    members.put(STATE, Payload.of(run.state().name()));
    return Payload.object(members);
  }

  /**
   * A run has faulted because a recovery has left it out.
   *
   * @param awaited whether its end is reported, or only its beginning
   */
  public static Payload lost(InstanceId run, boolean awaited) {
    Map<String, Payload> members = members(run, run.startedAtEpochMillis());
    if (awaited) {
      members.put(STATE, Payload.of(InstanceState.FAULTED.name()));
    }
    return Payload.object(members);
  }

  private static Map<String, Payload> members(InstanceView run) {
    return members(run.id(), run.startedAtEpochMillis());
  }

  private static Map<String, Payload> members(InstanceId id, long startedAtEpochMillis) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put(ID, Payload.of(id.toString()));
    members.put(STARTED, Payload.of(startedAtEpochMillis));
    return members;
  }
}
