package dev.pinion.core.diagram;

import java.util.List;

/** A shape of a diagram: one for each task, and some for places where the flow begins and ends. */
public sealed interface Shape {
  /** What it says. */
  Caption caption();

  /** A shape without others in it. */
  record Node(Caption caption, Symbol symbol) implements Shape {}

  /** A frame around the tasks of a list, which run once or several times. */
  record Frame(Caption caption, Repetition repetition, Section body) implements Shape {}

  /**
   * A fork: branches between two bars.
   *
   * @param compete whether the first branch to complete ends the others
   */
  record Parallel(Caption caption, boolean compete, List<Branch> branches) implements Shape {
    /** Copies the list. */
    public Parallel {
      branches = List.copyOf(branches);
    }
  }

  /**
   * A branch of a fork.
   *
   * @param ends whether the process ends after it, wherever the other branches are
   */
  record Branch(Shape shape, boolean ends) {}

  /**
   * Tasks whose errors are handled.
   *
   * @param handler what is caught, and how often the tasks are tried again
   * @param handling tasks that run after an error; empty when there are none
   */
  record Guarded(Caption caption, Section body, Caption handler, Section handling)
      implements Shape {}

  /**
   * A task with the tasks that undo it.
   *
   * @param task its shape, whose caption is that of both
   * @param compensation caption of what undoes it
   */
  record Compensated(Shape task, Caption compensation, Section undoing) implements Shape {
    @Override
    public Caption caption() {
      return task.caption();
    }
  }

  /** Forms of shapes without others in them. */
  enum Symbol {
    /** Where the process begins. */
    START,
    /** Where the process ends. */
    END,
    /** Where a list of tasks begins. */
    ENTRY,
    /** Where a list of tasks ends. */
    EXIT,
    /** Where the process ends from inside of a list. */
    TERMINATE,
    /** A step. */
    TASK,
    /** A call of a service. */
    CALL,
    /** A program or another process that is run. */
    RUN,
    /** A choice of a way. */
    GATEWAY,
    /** A time that is waited for. */
    TIMER,
    /** An event that is sent. */
    EMIT,
    /** Events that are waited for. */
    LISTEN,
    /** An error that is raised. */
    ERROR
  }

  /** How often the tasks of a frame run. */
  enum Repetition {
    ONCE,
    /** For one item after the other. */
    LOOP,
    /** For all items at the same time. */
    PARALLEL,
    /** For each event that arrives. */
    EVENTS
  }
}
