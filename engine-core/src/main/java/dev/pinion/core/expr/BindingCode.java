package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Code that binds variables: {@code as}, {@code reduce}, {@code foreach}, and what reads them. */
final class BindingCode {
  private BindingCode() {}

  /** {@code $name} of the expression itself. */
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

  /** Continues with the bindings that a pattern made. */
  @FunctionalInterface
  interface Bound {
    boolean with(@Nullable Env env);
  }

  /** What stands on the right of {@code as}: pushes its variables, in order. */
  abstract static class Binder {
    final boolean simple;
    final int height;

    Binder(boolean simple, int height) {
      this.simple = simple;
      this.height = height;
    }

    /** Binds the parts of a value; runs the rest for every way to do so. */
    abstract boolean bind(JsonNode value, JsonNode dot, @Nullable Env env, Run run, Bound rest);
  }

  /** {@code $name} */
  static final class BindName extends Binder {
    static final BindName INSTANCE = new BindName();

    private BindName() {
      super(true, 2);
    }

    @Override
    boolean bind(JsonNode value, JsonNode dot, @Nullable Env env, Run run, Bound rest) {
      return rest.with(Env.value(env, value, run));
    }
  }

  /** One pattern behind the other, each for a part of the value that a key names. */
  static final class BindParts extends Binder {
    private final List<Part> parts;

    BindParts(List<Part> parts) {
      super(false, 2 + parts.stream().mapToInt(BindParts::height).sum());
      this.parts = List.copyOf(parts);
    }

    private static int height(Part part) {
      return 6 + part.key.height + (part.pattern == null ? 0 : part.pattern.height);
    }

    @Override
    boolean bind(JsonNode value, JsonNode dot, @Nullable Env env, Run run, Bound rest) {
      return bind(0, value, dot, env, run, rest);
    }

    private boolean bind(
        int i, JsonNode value, JsonNode dot, @Nullable Env env, Run run, Bound rest) {
      if (i == parts.size()) {
        return rest.with(env);
      }
      Part part = parts.get(i);
      Bound next = bound -> bind(i + 1, value, dot, bound, run, rest);
      return part.key.each(
          dot,
          null,
          env,
          run,
          (key, none) -> {
            JsonNode item = part(value, key, run);
            Env own = part.named ? Env.value(env, item, run) : env;
            return part.pattern == null
                ? next.with(own)
                : part.pattern.bind(item, dot, own, run, next);
          });
    }

    private static JsonNode part(JsonNode value, JsonNode key, Run run) {
      if (!key.isTextual() && !key.isNumber()) {
        throw new JqError("Cannot index " + Json.type(value) + " with " + Json.describe(key));
      }
      return Access.get(value, key, run);
    }
  }

  /**
   * A part of a pattern.
   *
   * @param key the key of the part
   * @param named whether the part itself becomes a variable
   * @param pattern pattern of the part, or null
   */
  record Part(Code key, boolean named, @Nullable Binder pattern) {}

  /**
   * Patterns tried one after the other ({@code ?//}). All their variables end up in one layout;
   * those that the matching pattern lacks are null.
   */
  static final class BindFirst {
    private final List<Choice> choices;
    private final int variables;

    BindFirst(List<Choice> choices, int variables) {
      this.choices = List.copyOf(choices);
      this.variables = variables;
    }

    int height() {
      return 6 + choices.stream().mapToInt(choice -> choice.binder.height).max().orElse(0);
    }

    boolean bind(JsonNode value, JsonNode dot, @Nullable Env env, Run run, Sink out, Body body) {
      for (int i = 0; ; i++) {
        Choice choice = choices.get(i);
        FlowCode.Guard guard = new FlowCode.Guard(out, false);
        long mark = run.mark();
        try {
          return choice.binder.bind(
              value, dot, env, run, own -> body.run(layout(choice, own, env, run), guard));
        } catch (JqError e) {
          if (i == choices.size() - 1) {
            throw e;
          }
          run.restore(mark);
          run.charge(20);
        } catch (FlowCode.Guard.Passing e) {
          throw e.ifFrom(guard);
        }
      }
    }

    private @Nullable Env layout(Choice choice, @Nullable Env own, @Nullable Env env, Run run) {
      Env layout = env;
      for (int i = 0; i < variables; i++) {
        int hops = choice.hops[i];
        layout = Env.value(layout, hops < 0 ? Json.NULL : Env.binding(own, hops).value(), run);
      }
      return layout;
    }
  }

  /** What runs with the variables of patterns bound. */
  @FunctionalInterface
  interface Body {
    boolean run(@Nullable Env env, Sink out);
  }

  /**
   * One of several patterns.
   *
   * @param binder the pattern
   * @param hops for each variable of the layout, how far out it lies once bound, or -1
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, only read
  record Choice(Binder binder, int[] hops) {}

  /** All patterns of one {@code as}: nearly always a single one. */
  record Binding(@Nullable Binder only, @Nullable BindFirst first) {
    boolean simple() {
      return only != null && only.simple;
    }

    int height() {
      return only != null ? only.height : first != null ? first.height() : 0;
    }

    boolean bind(JsonNode value, JsonNode dot, @Nullable Env env, Run run, Sink out, Body body) {
      if (only != null) {
        return only.bind(value, dot, env, run, bound -> body.run(bound, out));
      }
      if (first != null) {
        return first.bind(value, dot, env, run, out, body);
      }
      throw new IllegalStateException("expected a pattern");
    }
  }

  /** {@code source as pattern | body} */
  static final class As extends Code {
    private final Code source;
    private final Binding binding;
    private final Code body;

    As(Code source, Binding binding, Code body) {
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

  /** State of a fold: a value and, where asked for, its path. */
  private static final class State {
    JsonNode value;
    @Nullable Path path;
    boolean emitted;

    State(JsonNode value, @Nullable Path path) {
      this.value = value;
      this.path = path;
    }

    boolean set(JsonNode newValue, @Nullable Path newPath) {
      value = newValue;
      path = newPath;
      emitted = true;
      return true;
    }
  }

  /** {@code reduce source as pattern (init; update)}; no output of update makes the state null. */
  static final class Reduce extends Code {
    private final Code source;
    private final Binding binding;
    private final Code init;
    private final Code update;

    Reduce(Code source, Binding binding, Code init, Code update) {
      super(init.single, 10 + init.height + source.height + binding.height() + update.height);
      this.source = source;
      this.binding = binding;
      this.init = init;
      this.update = update;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      State state = new State(init.one(in, env, run), null);
      fold(state, in, env, run);
      return state.value;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      return init.each(
          in,
          path,
          env,
          run,
          (value, at) -> {
            State state = new State(value, at);
            fold(state, in, env, run);
            return out.emit(state.value, state.path);
          });
    }

    private void fold(State state, JsonNode in, @Nullable Env env, Run run) {
      Sink sink = state::set;
      Body body =
          (bound, out) -> {
            step(state, bound, run, out);
            return true;
          };
      source.each(in, null, env, run, (item, none) -> binding.bind(item, in, env, run, sink, body));
    }

    private void step(State state, @Nullable Env bound, Run run, Sink out) {
      run.step();
      JsonNode value = state.value;
      Path path = state.path;
      if (update.single && path == null) {
        state.value = update.one(value, bound, run);
        return;
      }
      state.emitted = false;
      update.each(value, path, bound, run, out);
      if (!state.emitted) {
        state.set(Json.NULL, Path.lost(path));
      }
    }
  }

  /** {@code foreach source as pattern (init; update; extract)} */
  static final class Foreach extends Code {
    private final Code source;
    private final Binding binding;
    private final Code init;
    private final Code update;
    private final @Nullable Code extract;

    Foreach(Code source, Binding binding, Code init, Code update, @Nullable Code extract) {
      super(
          false,
          12
              + init.height
              + source.height
              + binding.height()
              + update.height
              + (extract == null ? 0 : extract.height));
      this.source = source;
      this.binding = binding;
      this.init = init;
      this.update = update;
      this.extract = extract;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      return init.each(
          in,
          path,
          env,
          run,
          (value, at) -> {
            State state = new State(value, at);
            return source.each(
                in,
                null,
                env,
                run,
                (item, none) ->
                    binding.bind(
                        item, in, env, run, out, (bound, sink) -> step(state, bound, run, sink)));
          });
    }

    private boolean step(State state, @Nullable Env bound, Run run, Sink out) {
      run.step();
      return update.each(
          state.value,
          state.path,
          bound,
          run,
          (value, path) -> {
            state.set(value, path);
            return extract == null
                ? out.emit(value, path)
                : extract.each(value, path, bound, run, out);
          });
    }
  }
}
