"""Planner prompt v1: one image, one bounded text history, one skill."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

__all__ = ["VERSION", "render"]

VERSION: Final = "v1"

_STANDING: Final = """\
You steer a humanoid with a blue body through a three-dimensional home. Your only sense is the camera in its head, \
which looks ahead and somewhat down. The blue shapes at the bottom centre of the picture are your own body and feet; \
that edge of the picture is the place where you stand, and things just above it are within a step."""

_ROLE: Final = """\
YOUR TASK
You receive a high-level instruction. At every step you first settle on a mid-level goal, something to achieve within \
the next two to three seconds, and then choose exactly one low-level action, which lasts half a second. After it you \
get a new picture and decide again.
Trust the attached picture first. The history of earlier steps only helps you stay consistent: it may be outdated. \
Keep the previous mid-level goal while it still makes sense; change it once it is achieved or the view has changed."""

_ACTIONS: Final = """\
ACTIONS (id, name, meaning)
0  Walk<forward><speed>: go straight ahead without turning. speed is slow (0.2 m), normal (0.4 m) or fast (0.6 m). \
When starting from rest make the first one slow.
1  Stop/Stand: ends the episode for good. It is never a pause; use it only when the whole instruction is fulfilled.
2  Turn<direction><degrees>: turn on the spot, left or right, 10 to 120 degrees within the half second. Do not turn \
further than you need.
3  Climb upstairs<normal>: go up one step. Only when the front edge of a step is right at your feet and you face it \
squarely.
4  Sit down<height>: lower yourself onto what is behind you. height is the height of the seat above the floor in \
metres, 0.15 to 0.85.
5  Step back<distance>: move backward 0.10 to 0.60 m while still facing ahead.
6  Side step<direction><distance>: move left or right like a crab, 0.10 to 0.50 m, still facing ahead.
7  Walk downstairs<normal>: go down one step. Only when the edge of a downward step is right at your feet and you face \
it squarely."""

_MID_LEVEL: Final = """\
HOW TO SET THE MID-LEVEL GOAL
- Name what you can see (a doorway, a piece of furniture, an open stretch of floor), without overloading it with detail. \
Vague goals such as "explore" are useless.
- A closed door is a wall.
- While the target is out of sight, look around in one consistent direction; after that head for the visible place \
where it is most likely to be, rather than rotating on the spot. Never spin, never alternate left and right.
- Once the target is in sight, approach it along a free path made of walks, turns and side steps.
- Do not run into things. If something is too close, turn to an open passage. Prefer open floor; stay out of narrow \
gaps between pieces of furniture.
- When everything is done the goal is "Stop/Stand".
SITTING, when the instruction asks for it
1. Approach until no distance is left between your body and the target.
2. Work out the turn that brings the seat behind you and do it, with additional_info {"turn_for_sit": true}.
3. If needed, take one or two Step backs until the backs of your legs meet the seat.
4. Sit down with the height of the seat, three or four times in a row.
5. Then Stop/Stand with additional_info {"stop_after_sit": true}."""

_LOW_LEVEL: Final = """\
HOW TO CHOOSE THE LOW-LEVEL ACTION
- It must serve the mid-level goal.
- If the lane in front of you is free and the goal lies roughly ahead, Walk. Use slow in tight places and when \
starting, normal in free rooms, fast only in wide open lanes.
- Turn to look around, to change route, or when the goal is well off the centre of the picture. Interrupt long series \
of turns with a walk whenever the lane is safe.
- If you are blocked, turn toward the clearest stretch of floor. Do not push into clusters of furniture.
- A Side step usually has to be repeated to make a difference."""

_OUTPUT: Final = """\
ANSWER
Write the action name exactly in these forms: Walk<forward><slow>, Walk<forward><normal>, Walk<forward><fast>, \
Stop/Stand, Turn<left><30>, Turn<right><75>, Climb upstairs<normal>, Sit down<0.45>, Step back<0.25>, \
Side step<left><0.20>, Side step<right><0.30>, Walk downstairs<normal>.
The picture of this step is attached. The input is:
{input}
Reply with one JSON object and nothing else:
{{
  "visible_state": "what you see from left to right with estimated distances; say whether the target is visible and \
whether the lane close to your body is free",
  "mid_level_progress_analysis": "in short: is the earlier mid-level goal kept or changed, and why",
  "mid_level_goal": "one short sentence for the next two to three seconds, or Stop/Stand",
  "low_level_action_reasoning": "why this action with these values now",
  "action_id": 0,
  "action_name": "Walk<forward><slow>",
  "additional_info": {{}}
}}
additional_info is {{}}, {{"turn_for_sit": true}} or {{"stop_after_sit": true}}."""


def render(input: Mapping[str, Any], /) -> str:
    """The prompt text around ``input`` (goal, current_ego_view_image, current_step, history)."""
    embedded = json.dumps(input, indent=2, ensure_ascii=False)
    return "\n\n".join((_STANDING, _ROLE, _ACTIONS, _MID_LEVEL, _LOW_LEVEL, _OUTPUT.format(input=embedded)))
