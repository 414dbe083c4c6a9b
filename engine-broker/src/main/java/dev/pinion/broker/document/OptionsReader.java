package dev.pinion.broker.document;

import dev.pinion.broker.model.Mode;
import dev.pinion.broker.model.Objective;
import dev.pinion.broker.model.Options;
import dev.pinion.broker.model.ParallelResponse;
import dev.pinion.broker.model.Penalties;
import java.util.List;
import java.util.Map;

/** Reads the options of a problem. */
final class OptionsReader {
  private static final Map<String, Objective> OBJECTIVES =
      Map.of("profit", Objective.PROFIT, "saw", Objective.SAW);
  private static final Map<String, Mode> MODES =
      Map.of("strict", Mode.STRICT, "degraded", Mode.DEGRADED);
  private static final Map<String, ParallelResponse> PREDICTIONS =
      Map.of("first_success", ParallelResponse.FIRST_SUCCESS, "min", ParallelResponse.MIN);
  private static final List<String> KEYS =
      List.of("max_alt", "max_par", "par_response", "objective", "mode", "penalties");

  private OptionsReader() {}

  static Options read(Part part, Problems problems) {
    Fields fields = new Fields(part, "options", KEYS, problems);
    Objective objective = fields.word("objective", OBJECTIVES, Objective.PROFIT);
    return new Options(
        fields.count("max_alt", Options.DEFAULT_SERVICES),
        fields.count("max_par", Options.DEFAULT_SERVICES),
        fields.word("par_response", PREDICTIONS, ParallelResponse.FIRST_SUCCESS),
        objective,
        fields.word("mode", MODES, Mode.STRICT),
        penalties(fields, Penalties.of(objective), problems));
  }

  private static Penalties penalties(Fields owner, Penalties otherwise, Problems problems) {
    if (!owner.has("penalties")) {
      return otherwise;
    }
    List<String> keys = List.of("r", "d", "c", "shed", "load");
    Fields fields = new Fields(owner.get("penalties"), "penalties", keys, problems);
    return new Penalties(
        fields.number("r", Span.AT_LEAST_0, otherwise.response()),
        fields.number("d", Span.AT_LEAST_0, otherwise.reliability()),
        fields.number("c", Span.AT_LEAST_0, otherwise.cost()),
        fields.number("shed", Span.AT_LEAST_0, otherwise.shed()),
        fields.optional("load", Span.AT_LEAST_0));
  }
}
