package dev.pinion.core.schema;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.WorkflowError;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A check of a payload against a JSON Schema: returns its input, or fails with an error of type
 * {@link ErrorType#VALIDATION} that lists the first few violations.
 *
 * <p>Every visit of a subschema and every character given to a regular expression is charged to the
 * budget, and the nesting of visits is bounded, so neither a large value nor a schema that refers
 * to itself can hold a thread.
 */
public final class SchemaCheck implements Expression<Payload> {
  /** Violations that an error lists; further ones are counted. */
  public static final int LISTED = 5;

  private final Schema schema;
  private final int maxDepth;

  SchemaCheck(Schema schema, int maxDepth) {
    this.schema = schema;
    this.maxDepth = maxDepth;
  }

  @Override
  public Payload evaluate(Payload input, Scope scope, Budget budget) {
    ValueSize.charge(input.json(), budget);
    MeteredContext context = new MeteredContext(budget, maxDepth);
    try {
      BoundedPattern.withBudget(budget, () -> schema.validate(context, input.json()));
    } catch (SchemaException e) {
      throw new ExpressionException(
          WorkflowError.of(
              ErrorType.CONFIGURATION,
              "expected a usable JSON Schema, found: " + SchemaProblem.reason(e)));
    }
    List<Error> violations = context.getErrors();
    if (!violations.isEmpty()) {
      throw new ExpressionException(WorkflowError.of(ErrorType.VALIDATION, detail(violations)));
    }
    return input;
  }

  private static String detail(List<Error> violations) {
    String listed =
        violations.stream().limit(LISTED).map(SchemaCheck::line).collect(Collectors.joining("; "));
    int more = violations.size() - LISTED;
    return "expected a value that matches the schema, found: "
        + listed
        + (more > 0 ? "; and " + more + " more" : "");
  }

  private static String line(Error violation) {
    String at = violation.getInstanceLocation().toString();
    return (at.isEmpty() ? "/" : at) + " " + violation.getMessage();
  }
}
