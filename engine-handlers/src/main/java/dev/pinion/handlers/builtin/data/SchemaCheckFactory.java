package dev.pinion.handlers.builtin.data;

import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.schema.SchemaCheck;
import dev.pinion.core.schema.SchemaCompiler;
import dev.pinion.core.schema.SchemaProblem;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.builtin.FileSnapshot;
import dev.pinion.handlers.builtin.HandlerProblem;
import dev.pinion.handlers.builtin.PointerSetting;
import dev.pinion.handlers.builtin.security.FieldCipher;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Accepts messages whose body, or a part of it, matches a JSON Schema. */
public final class SchemaCheckFactory implements HandlerFactory {
  /** The largest schema file. */
  static final int MAX_FILE_BYTES = 1 << 20;

  private static final EngineLimits LIMITS = EngineLimits.defaults();

  /** For the service loader. */
  public SchemaCheckFactory() {}

  @Override
  public String name() {
    return "schema-check";
  }

  @Override
  public String summary() {
    return "Lets messages through whose body matches a JSON Schema.";
  }

  @Override
  public Handler create(Settings settings) {
    Slot.Json slot = settings.has("pointer") ? PointerSetting.slot(settings, "pointer") : whole();
    int steps = settings.integer("maxSteps", 1_000_000, 1, 1_000_000_000);
    Payload schema = settings.value("schema");
    if ((schema == null) == !settings.has("file")) {
      settings.problem(null, "expected one of the settings \"schema\" and \"file\", found else");
    }
    if (schema == null) {
      FileSnapshot<SchemaCheck> file =
          FileSnapshot.opened(settings, MAX_FILE_BYTES, SchemaCheckFactory::parse);
      return new Check(slot, steps, file::content, file::close);
    }
    SchemaCheck check = compiled(settings, schema);
    return new Check(slot, steps, () -> check, () -> {});
  }

  private static Slot.Json whole() {
    return new Slot.Json(List.of());
  }

  private static SchemaCheck compiled(Settings settings, Payload schema) {
    List<SchemaProblem> problems = new ArrayList<>();
    @Nullable SchemaCheck check = new SchemaCompiler(LIMITS).compile(schema, problems::add);
    problems.forEach(
        each -> settings.problem("schema", "at \"" + each.pointer() + "\": " + each.message()));
    if (check == null) {
      throw new IllegalArgumentException("unusable schema");
    }
    return check;
  }

  private static SchemaCheck parse(byte[] file) {
    List<SchemaProblem> problems = new ArrayList<>();
    @Nullable SchemaCheck check = null;
    try {
      Payload schema = FieldCipher.CODEC.read(file, 0, file.length);
      check = new SchemaCompiler(LIMITS).compile(schema, problems::add);
    } catch (PayloadSyntaxException e) {
      problems.add(new SchemaProblem("", String.valueOf(e.getMessage())));
    }
    if (check == null) {
      throw new IllegalArgumentException("expected a JSON Schema, found problems: " + problems);
    }
    return check;
  }

  /** The check in force. */
  private interface SchemaSource {
    SchemaCheck check();
  }

  private record Check(Slot.Json slot, int maxSteps, SchemaSource source, Runnable end)
      implements Handler {
    @Override
    public Declaration declaration() {
      return Declaration.NOTHING.reading(slot).stopping().mandatory();
    }

    @Override
    public Verdict handle(View message) throws PayloadSyntaxException {
      Payload value = message.json(slot.pointer());
      if (value == null) {
        return HandlerProblem.INVALID.refuse(
            "expected a value at \"" + slot.pointer() + "\" of the body, found none");
      }
      try {
        source.check().evaluate(value, Scope.EMPTY, new Budget(maxSteps));
        return Verdict.UNCHANGED;
      } catch (ExpressionException e) {
        return HandlerProblem.INVALID.refuse(String.valueOf(e.getMessage()));
      } catch (BudgetExceededException e) {
        return HandlerProblem.INVALID.refuse(
            "expected a value that is checked in at most " + maxSteps + " steps, found a larger");
      }
    }

    @Override
    public void close() {
      end.run();
    }
  }
}
