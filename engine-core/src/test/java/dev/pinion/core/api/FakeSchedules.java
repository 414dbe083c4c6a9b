package dev.pinion.core.api;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.ScheduleView;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Schedules that kernels played by a test report. */
public final class FakeSchedules {
  private static final ScheduleView.Totals NOTHING = new ScheduleView.Totals(0, 0, 0);

  /** One with everything that a schedule may have. */
  public static final ScheduleView BUSY =
      new ScheduleView(
          new DefinitionKey("test", "a", "1.0.0"),
          FakeKernels.ID,
          new ScheduleView.Timing("cron", "0 9 * * *", "Europe/Berlin", "skip"),
          false,
          FakeKernels.STARTED + 1_000,
          new ScheduleView.ScheduledRun(
              FakeKernels.ID, FakeKernels.STARTED, FakeKernels.STARTED + 5, InstanceState.RUNNING),
          new ScheduleView.Totals(3, 2, 1),
          "expected room, found none");

  /** One that has not begun any run. */
  public static final ScheduleView FRESH = of("b", false, null);

  /** One of events. */
  public static final ScheduleView HEARD =
      new ScheduleView(
          new DefinitionKey("test", "c", "1.0.0"),
          FakeKernels.ID,
          new ScheduleView.Timing(
              "on", Payload.object(Map.of("any", Payload.array(List.of()))), null, "queue"),
          false,
          0,
          null,
          NOTHING,
          null);

  private FakeSchedules() {}

  static ScheduleView of(String name, boolean paused, ScheduleView.@Nullable ScheduledRun last) {
    return new ScheduleView(
        new DefinitionKey("test", name, "2.0.0"),
        InstanceId.next(FakeKernels.STARTED, 7, null),
        new ScheduleView.Timing("every", "PT10S", null, "allow"),
        paused,
        paused ? 0 : FakeKernels.STARTED + 10_000,
        last,
        NOTHING,
        null);
  }
}
