package dev.pinion.core.jq.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.ValuePath;
import org.jspecify.annotations.Nullable;

/** Code that applies functions of values, written in Java. */
public final class NativeCallCode {
  private NativeCallCode() {}

  /** A function of the input. */
  @FunctionalInterface
  public interface Function0 {
    JsonNode apply(JsonNode in, EvaluationContext evaluationContext);
  }

  /** A function of the input and one argument. */
  @FunctionalInterface
  public interface Function1 {
    JsonNode apply(JsonNode in, JsonNode a, EvaluationContext evaluationContext);
  }

  /** A function of the input and any number of arguments. */
  @FunctionalInterface
  public interface FunctionN {
    JsonNode apply(JsonNode in, JsonNode[] arguments, EvaluationContext evaluationContext);
  }

  /** Applies a function without arguments. */
  public static final class Apply0 extends Code.SingleValue {
    private final Function0 function;

    public Apply0(Function0 function) {
      super(6);
      this.function = function;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.step();
      return function.apply(in, evaluationContext);
    }
  }

  /** Applies a function for each output of its argument. */
  public static final class Apply1 extends Code {
    private final Function1 function;
    private final Code argument;

    public Apply1(Function1 function, Code argument) {
      super(argument.single, argument.atMostOne, 8 + argument.height);
      this.function = function;
      this.argument = argument;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.step();
      return function.apply(in, argument.one(in, env, evaluationContext), evaluationContext);
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      return argument.each(
          in,
          null,
          env,
          evaluationContext,
          (a, p) -> {
            evaluationContext.step();
            return out.emit(
                function.apply(in, a, evaluationContext), ValuePath.detached(valuePath));
          });
    }
  }

  /** Applies a function for every combination of its arguments' outputs, the first fastest. */
  public static final class ApplyN extends Code {
    private final FunctionN function;
    private final Code[] arguments;

    public ApplyN(FunctionN function, Code... arguments) {
      super(
          ConstructionCode.allSingle(arguments),
          PipelineCode.allAtMostOne(arguments),
          height(arguments));
      this.function = function;
      this.arguments = arguments;
    }

    private static int height(Code... arguments) {
      int sum = 6;
      for (Code argument : arguments) {
        sum += argument.height + 4;
      }
      return sum;
    }

    @Override
    public JsonNode one(JsonNode in, @Nullable Env env, EvaluationContext evaluationContext) {
      evaluationContext.charge(arguments.length);
      JsonNode[] values = new JsonNode[arguments.length];
      for (int i = values.length - 1; i >= 0; i--) {
        values[i] = arguments[i].one(in, env, evaluationContext);
      }
      return function.apply(in, values, evaluationContext);
    }

    @Override
    public boolean each(
        JsonNode in,
        @Nullable ValuePath valuePath,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      JsonNode[] values = new JsonNode[arguments.length];
      return argument(
          values.length - 1,
          values,
          in,
          env,
          evaluationContext,
          (v, p) -> out.emit(v, ValuePath.detached(valuePath)));
    }

    private boolean argument(
        int i,
        JsonNode[] values,
        JsonNode in,
        @Nullable Env env,
        EvaluationContext evaluationContext,
        OutputSink out) {
      evaluationContext.step();
      if (i < 0) {
        return out.emit(function.apply(in, values, evaluationContext), null);
      }
      return arguments[i].each(
          in,
          null,
          env,
          evaluationContext,
          (value, p) -> {
            values[i] = value;
            return argument(i - 1, values, in, env, evaluationContext, out);
          });
    }
  }
}
