package dev.pinion.broker.document;

import dev.pinion.broker.model.Objective;
import dev.pinion.broker.model.ParallelResponse;
import dev.pinion.broker.model.Penalties;
import dev.pinion.broker.model.PromiseMode;
import dev.pinion.broker.model.SolveOptions;
import java.util.List;
import java.util.Map;

/** Reads the options of a problem. */
final class SolveOptionsReader {
  private static final Map<String, Objective> OBJECTIVES =
      Map.of("profit", Objective.PROFIT, "saw", Objective.SAW);
  private static final Map<String, PromiseMode> MODES =
      Map.of("strict", PromiseMode.STRICT, "degraded", PromiseMode.DEGRADED);
  private static final Map<String, ParallelResponse> PREDICTIONS =
      Map.of("first_success", ParallelResponse.FIRST_SUCCESS, "min", ParallelResponse.MIN);
  private static final List<String> KEYS =
      List.of("max_alt", "max_par", "par_response", "objective", "mode", "penalties");

  private SolveOptionsReader() {}

  static SolveOptions read(LocatedValue locatedValue, DocumentDiagnostics documentDiagnostics) {
    ObjectFields objectFields =
        new ObjectFields(locatedValue, "options", KEYS, documentDiagnostics);
    Objective objective = objectFields.word("objective", OBJECTIVES, Objective.PROFIT);
    return new SolveOptions(
        objectFields.count("max_alt", SolveOptions.DEFAULT_SERVICES),
        objectFields.count("max_par", SolveOptions.DEFAULT_SERVICES),
        objectFields.word("par_response", PREDICTIONS, ParallelResponse.FIRST_SUCCESS),
        objective,
        objectFields.word("mode", MODES, PromiseMode.STRICT),
        penalties(objectFields, Penalties.of(objective), documentDiagnostics));
  }

  private static Penalties penalties(
      ObjectFields owner, Penalties otherwise, DocumentDiagnostics documentDiagnostics) {
    if (!owner.has("penalties")) {
      return otherwise;
    }
    List<String> keys = List.of("r", "d", "c", "shed", "load");
    ObjectFields objectFields =
        new ObjectFields(owner.get("penalties"), "penalties", keys, documentDiagnostics);
    return new Penalties(
        objectFields.number("r", NumberRange.AT_LEAST_0, otherwise.response()),
        objectFields.number("d", NumberRange.AT_LEAST_0, otherwise.reliability()),
        objectFields.number("c", NumberRange.AT_LEAST_0, otherwise.cost()),
        objectFields.number("shed", NumberRange.AT_LEAST_0, otherwise.shed()),
        objectFields.optional("load", NumberRange.AT_LEAST_0));
  }
}
