package dev.pinion.broker.model;

import java.util.List;

/** A process, reduced to its relevance for service levels: a tree. */
public sealed interface ProcessNode {
  /** Its children, in order; empty for a task. */
  List<ProcessNode> children();

  /**
   * Invokes a task.
   *
   * @param task its name; the same task may be invoked at several places
   */
  record Task(String task) implements ProcessNode {
    @Override
    public List<ProcessNode> children() {
      return List.of();
    }
  }

  /**
   * One child after the other.
   *
   * @param children at least one
   */
  record Sequence(List<ProcessNode> children) implements ProcessNode {
    /** Copies the list. */
    public Sequence {
      children = List.copyOf(children);
    }
  }

  /**
   * All children in parallel; ends when all have ended.
   *
   * @param id its name, unique in the process
   * @param children at least one
   * @param gamma measured time of the flow ÷ greatest mean of a branch, at least 1; 1 when not
   *     calibrated
   */
  record Flow(String id, List<ProcessNode> children, double gamma) implements ProcessNode {
    /** Copies the list. */
    public Flow {
      children = List.copyOf(children);
    }
  }

  /**
   * One of the children.
   *
   * @param id its name, unique in the process
   * @param children at least one
   * @param probabilities probability of each child; their sum is 1
   */
  record Choice(String id, List<ProcessNode> children, List<Double> probabilities)
      implements ProcessNode {
    /** Copies the lists. */
    public Choice {
      children = List.copyOf(children);
      probabilities = List.copyOf(probabilities);
    }
  }

  /**
   * Repetitions of the child.
   *
   * @param id its name, unique in the process
   * @param child the repeated node
   * @param iterations expected number of rounds, at least 0
   */
  record Loop(String id, ProcessNode child, double iterations) implements ProcessNode {
    @Override
    public List<ProcessNode> children() {
      return List.of(child);
    }
  }
}
