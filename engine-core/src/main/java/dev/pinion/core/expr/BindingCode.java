package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Code that binds variables ({@code as}) and code that reads them. */
final class BindingCode {
  private BindingCode() {}

  /** {@code $name} bound inside the expression. */
  static final class Local extends Code.Value {
    private final int hops;

    Local(int hops) {
      super(1);
      this.hops = hops;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      run.step();
      return Env.binding(env, hops).value();
    }
  }

  /** {@code $name} of the surrounding scope; null where the scope has no value for it. */
  static final class Global extends Code.Value {
    private final String name;

    Global(String name) {
      super(1);
      this.name = name;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      run.step();
      var value = run.scope.variable(name);
      return value == null ? Json.NULL : value.json();
    }
  }

  /** {@code source as pattern | body} */
  static final class As extends Code {
    private final Code source;
    private final PatternCode.Binding binding;
    private final Code body;

    As(Code source, PatternCode.Binding binding, Code body) {
      super(
          source.single && binding.simple() && body.single,
          source.single && binding.simple()
              ? 2 + FlowCode.maxHeight(source, body)
              : 8 + source.height + binding.height() + body.height);
      this.source = source;
      this.binding = binding;
      this.body = body;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      JsonNode value = source.one(in, env, run);
      return body.one(in, Env.value(env, value, run), run);
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      run.step();
      if (source.single && binding.simple()) {
        Env bound = Env.value(env, source.one(in, env, run), run);
        return body.each(in, path, bound, run, out);
      }
      return source.each(
          in,
          null,
          env,
          run,
          (value, none) ->
              binding.bind(
                  value,
                  in,
                  env,
                  run,
                  out,
                  (bound, sink) -> body.each(in, path, bound, run, sink)));
    }
  }
}
