# SPDX-License-Identifier: Apache-2.0
"""The stubs have the names of the module, and no others."""

import ast
import inspect
import pathlib
import unittest

import adicheck

STUBS = ast.parse((pathlib.Path(adicheck.__file__).parent / "__init__.pyi").read_text())


def names_of(statement):
    if isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
        return [statement.name]
    if isinstance(statement, ast.Assign):
        return [target.id for target in statement.targets]
    return [statement.target.id] if isinstance(statement, ast.AnnAssign) else []


class Stubs(unittest.TestCase):
    def test_have_what_is_there(self):
        names = {name for statement in STUBS.body for name in names_of(statement)
                 if not name.startswith("_")}
        self.assertEqual(names, set(adicheck.__all__))

    def test_have_the_arguments_of_functions(self):
        for statement in STUBS.body:
            if isinstance(statement, ast.FunctionDef):
                there = getattr(adicheck, statement.name)
                told = statement.args
                names = [one.arg for one in (*told.posonlyargs, *told.args, *told.kwonlyargs)]
                if inspect.isfunction(there):
                    with self.subTest(statement.name):
                        self.assertEqual(names, [*inspect.signature(there).parameters])

    def test_have_classes_whose_attributes_are_there(self):
        for statement in STUBS.body:
            if isinstance(statement, ast.ClassDef) and statement.name == "Watched":
                for each in statement.body:
                    if isinstance(each, ast.FunctionDef):
                        self.assertTrue(hasattr(adicheck.Watched, each.name), each.name)


if __name__ == "__main__":
    unittest.main()
