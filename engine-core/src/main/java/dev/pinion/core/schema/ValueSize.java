package dev.pinion.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.model.Budget;

/** Charges a budget for the size of a value before the value is processed. */
final class ValueSize {
  /** Characters of text that cost one step. */
  private static final int CHARACTERS_PER_STEP = 64;

  private ValueSize() {}

  /** Charges a step per node and per so many characters; stops when the budget is spent. */
  static void charge(JsonNode value, Budget budget) {
    budget.charge(1 + (value.isTextual() ? value.textValue().length() / CHARACTERS_PER_STEP : 0));
    for (JsonNode child : value) {
      charge(child, budget);
    }
  }
}
