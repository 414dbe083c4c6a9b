package dev.pinion.core.template;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.CompiledExpression;
import dev.pinion.core.jq.ExpressionCompiler;
import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.code.ConstructionCode;
import dev.pinion.core.jq.code.ExpressionLocation;
import dev.pinion.core.jq.code.FallbackCode;
import dev.pinion.core.jq.code.ObjectConstructionCode;
import dev.pinion.core.jq.syntax.ExpressionProblem;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compiles JSON values in which strings may be expressions, such as the {@code set} of a task.
 * Immutable; safe for use by any thread.
 *
 * <p>Parts without expressions are shared by all evaluations; a template without any returns the
 * same payload each time.
 */
public final class JsonTemplate {
  private final ExpressionCompiler compiler;

  /** A compiler of templates whose expressions keep to some limits. */
  public JsonTemplate(EngineLimits limits) {
    this.compiler = new ExpressionCompiler(limits);
  }

  /** Compiles a template that is not loose; see the other method. */
  public @Nullable Expression<Payload> compile(
      String pointer, Payload value, Set<String> variables, TemplateProblemListener problems) {
    return compile(new TemplateText(pointer, value, false), variables, problems);
  }

  /**
   * Compiles a template.
   *
   * @param template the value
   * @param variables names of the variables the surrounding scope provides
   * @param problems receives every problem of every expression
   * @return null if and only if a problem was reported
   */
  public @Nullable Expression<Payload> compile(
      TemplateText template, Set<String> variables, TemplateProblemListener problems) {
    TemplateCompilation templateCompilation =
        new TemplateCompilation(template, variables, problems);
    Code code = templateCompilation.code(template.value().json(), "");
    return templateCompilation.failed ? null : new CompiledExpression(code, compiler.runLimits());
  }

  /**
   * A value of a definition.
   *
   * @param pointer its JSON pointer, which errors report
   * @param value the value; must not change afterwards
   * @param loose whether every string is an expression, and stays a string when its evaluation
   *     fails
   */
  public record TemplateText(String pointer, Payload value, boolean loose) {}

  private final class TemplateCompilation {
    private final TemplateText template;
    private final Set<String> variables;
    private final TemplateProblemListener problems;
    private boolean failed;

    /** Expressions found so far: a part that adds none is shared as it is. */
    private int expressions;

    TemplateCompilation(
        TemplateText template, Set<String> variables, TemplateProblemListener problems) {
      this.template = template;
      this.variables = variables;
      this.problems = problems;
    }

    Code code(JsonNode value, String pointer) {
      return switch (value.getNodeType()) {
        case STRING -> text(value, pointer);
        case ARRAY -> array(value, pointer);
        case OBJECT -> object(value, pointer);
        default -> new ConstructionCode.Constant(value);
      };
    }

    private Code text(JsonNode value, String pointer) {
      ExpressionText text = ExpressionText.of(value.textValue());
      if (template.loose()) {
        return looseText(value, text == null ? value.textValue() : text.source());
      }
      if (text == null) {
        ExpressionProblem unclosed = ExpressionText.unclosed(value.textValue());
        if (unclosed != null) {
          problems.report(pointer, unclosed);
          failed = true;
        }
        return new ConstructionCode.Constant(value);
      }
      expressions++;
      Code code =
          compiler.code(
              text.source(), variables, problem -> problems.report(pointer, text.inText(problem)));
      if (code == null) {
        failed = true;
        return new ConstructionCode.Constant(value);
      }
      return ExpressionCompiler.located(
          code, ExpressionLocation.inExpression(template.pointer() + pointer, text.source()));
    }

    private Code looseText(JsonNode value, String source) {
      Code code = compiler.code(source, variables, problem -> {});
      if (code == null) {
        return new ConstructionCode.Constant(value);
      }
      expressions++;
      return new FallbackCode(code, value);
    }

    private Code array(JsonNode value, String pointer) {
      List<Code> items = new ArrayList<>(value.size());
      int before = expressions;
      for (int i = 0; i < value.size(); i++) {
        Code item = code(value.get(i), pointer + "/" + i);
        items.add(item);
      }
      return expressions == before
          ? new ConstructionCode.Constant(value)
          : new ConstructionCode.PlainArray(items.toArray(Code[]::new));
    }

    private Code object(JsonNode value, String pointer) {
      List<String> keys = new ArrayList<>(value.size());
      List<Code> values = new ArrayList<>(value.size());
      int before = expressions;
      for (Map.Entry<String, JsonNode> member : value.properties()) {
        Code item = code(member.getValue(), pointer + "/" + escaped(member.getKey()));
        keys.add(member.getKey());
        values.add(item);
      }
      return expressions == before
          ? new ConstructionCode.Constant(value)
          : new ObjectConstructionCode.PlainObject(
              keys.toArray(String[]::new), values.toArray(Code[]::new));
    }

    private static String escaped(String key) {
      return key.replace("~", "~0").replace("/", "~1");
    }
  }
}
